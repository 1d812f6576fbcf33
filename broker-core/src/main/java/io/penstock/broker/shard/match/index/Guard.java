package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.condition.Condition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Another test that has to be true wherever a filter is, as a range of order keys of another field. It is looked at before
 * the filter is evaluated, for which much more memory is read.
 */
final class Guard {
    private static final int COUNT_MAX = 3;

    final int slot;
    final boolean isOfText;
    final long low;
    final long high;

    /** Another one, of more messages. */
    final @Nullable Guard next;

    private Guard(final int slot, final boolean isOfText, final long low, final long high, final @Nullable Guard next) {
        this.slot = slot;
        this.isOfText = isOfText;
        this.low = low;
        this.high = high;
        this.next = next;
    }

    /**
     * Finds the tests that are expected to be true of the fewest messages, that of the fewest first.
     *
     * @param condition of the filter.
     * @param filter    that knows the slots of its fields.
     * @param access    whose fields are left out: one of their elements may be selected when the guard is looked at.
     * @return null when there is none.
     */
    static @Nullable Guard of(final Condition condition, final IndexedFilter filter, final Access access) {
        if (!(condition instanceof Condition.All all)) {
            return null;
        }
        final List<Predicate> guards = new ArrayList<>();
        for (final Condition operand : all.operands()) {
            if (operand instanceof Condition.Test test && test.field() != null) {
                final List<Predicate> predicates = Predicates.of(test, filter.slotOf(test.field()));
                if (predicates.size() == 1
                        && isOfKeys(predicates.get(0).kind())
                        && !hasSlot(access.predicates(), predicates.get(0).slot())) {
                    guards.add(predicates.get(0));
                }
            }
        }
        guards.sort(Comparator.comparingDouble(Guard::share));
        Guard first = null;
        for (int i = Math.min(COUNT_MAX, guards.size()) - 1; i >= 0; i--) {
            first = of(guards.get(i), first);
        }
        return first;
    }

    private static boolean hasSlot(final List<Predicate> predicates, final int slot) {
        return predicates.stream().anyMatch(each -> each.slot() == slot);
    }

    private static double share(final Predicate predicate) {
        return predicate.kind().share(predicate);
    }

    private static boolean isOfKeys(final PredicateKind kind) {
        return switch (kind) {
            case NUMBER, REAL, RANGE, TEXT, PREFIX, TEXT_RANGE -> true;
            default -> false;
        };
    }

    private static Guard of(final Predicate predicate, final @Nullable Guard next) {
        return switch (predicate.kind()) {
            case NUMBER -> ofKeys(predicate, false, OrderKeys.of(predicate.low()), 0, next);
            case REAL -> ofKeys(predicate, false, OrderKeys.of(Double.longBitsToDouble(predicate.low())), 0, next);
            case TEXT -> ofKeys(predicate, true, OrderKeys.ofText(predicate.text()), 0, next);
            case PREFIX ->
                ofKeys(predicate, true, OrderKeys.ofText(predicate.text()), rest(predicate.text().length), next);
            default ->
                new Guard(
                        predicate.slot(),
                        predicate.kind() == PredicateKind.TEXT_RANGE,
                        predicate.low(),
                        predicate.high(),
                        next);
        };
    }

    private static Guard ofKeys(
            final Predicate predicate,
            final boolean isOfText,
            final long low,
            final long rest,
            final @Nullable Guard next) {
        return new Guard(predicate.slot(), isOfText, low, low | rest, next);
    }

    /** All ones in the bytes of a key after the first ones. */
    private static long rest(final int length) {
        return length >= Long.BYTES ? 0 : (1L << (Byte.SIZE * (Long.BYTES - length))) - 1;
    }
}
