package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.condition.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A second test that has to be true wherever a filter is, as a range of order keys of another field. It is looked at before
 * the filter is evaluated, for which much more memory is read.
 */
final class Guard {
    final int slot;
    final boolean isOfText;
    final long low;
    final long high;

    private Guard(final int slot, final boolean isOfText, final long low, final long high) {
        this.slot = slot;
        this.isOfText = isOfText;
        this.low = low;
        this.high = high;
    }

    /**
     * Finds the test that is expected to be true of the fewest messages.
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
        Predicate best = null;
        for (final Condition operand : all.operands()) {
            if (operand instanceof Condition.Test test && test.field() != null) {
                final List<Predicate> predicates = Predicates.of(test, filter.slotOf(test.field()));
                if (predicates.size() == 1
                        && isOfKeys(predicates.get(0).kind())
                        && (best == null || share(predicates.get(0)) < share(best))
                        && access.predicates().stream()
                                .noneMatch(each -> each.slot() == predicates.get(0).slot())) {
                    best = predicates.get(0);
                }
            }
        }
        return best == null ? null : of(best);
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

    private static Guard of(final Predicate predicate) {
        return switch (predicate.kind()) {
            case NUMBER -> ofKeys(predicate, false, OrderKeys.of(predicate.low()), 0);
            case REAL -> ofKeys(predicate, false, OrderKeys.of(Double.longBitsToDouble(predicate.low())), 0);
            case TEXT -> ofKeys(predicate, true, OrderKeys.ofText(predicate.text()), 0);
            case PREFIX ->
                ofKeys(predicate, true, OrderKeys.ofText(predicate.text()), rest(predicate.text().length));
            default ->
                new Guard(
                        predicate.slot(),
                        predicate.kind() == PredicateKind.TEXT_RANGE,
                        predicate.low(),
                        predicate.high());
        };
    }

    private static Guard ofKeys(final Predicate predicate, final boolean isOfText, final long low, final long rest) {
        return new Guard(predicate.slot(), isOfText, low, low | rest);
    }

    /** All ones in the bytes of a key after the first ones. */
    private static long rest(final int length) {
        return length >= Long.BYTES ? 0 : (1L << Byte.SIZE * (Long.BYTES - length)) - 1;
    }
}
