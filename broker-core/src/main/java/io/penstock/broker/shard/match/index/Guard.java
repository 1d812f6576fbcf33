package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.condition.Condition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Other tests that have to be true wherever a filter is, as ranges of order keys of other fields. They are looked at before the
 * filter is evaluated, for which much more memory is read. They lie in one array, those of the fewest messages first: for each
 * test the slot of its field, twice and one more when its keys are of texts, and both bounds, included.
 */
final class Guard {
    static final int LENGTH = 3;
    static final int LOW = 1;
    static final int HIGH = 2;

    private static final int COUNT_MAX = 3;

    private Guard() {}

    /** The field of a test. */
    static int slot(final long[] guards, final int at) {
        return (int) (guards[at] >>> 1);
    }

    /** Whether a test is about texts. */
    static boolean isOfText(final long[] guards, final int at) {
        return (guards[at] & 1) != 0;
    }

    /**
     * Finds the tests that are expected to be true of the fewest messages, that of the fewest first.
     *
     * @param condition of the filter.
     * @param filter    that knows the slots of its fields.
     * @param access    whose fields are left out: one of their elements may be selected when the guard is looked at.
     * @return null when there is none.
     */
    static long @Nullable [] of(final Condition condition, final IndexedFilter filter, final Access access) {
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
        if (guards.isEmpty()) {
            return null;
        }
        final long[] made = new long[LENGTH * Math.min(COUNT_MAX, guards.size())];
        for (int at = 0; at < made.length; at += LENGTH) {
            set(guards.get(at / LENGTH), made, at);
        }
        return made;
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

    private static void set(final Predicate predicate, final long[] guards, final int at) {
        switch (predicate.kind()) {
            case NUMBER -> set(predicate, false, OrderKeys.of(predicate.low()), 0, guards, at);
            case REAL -> set(predicate, false, OrderKeys.of(Double.longBitsToDouble(predicate.low())), 0, guards, at);
            case TEXT -> set(predicate, true, OrderKeys.ofText(predicate.text()), 0, guards, at);
            case PREFIX ->
                set(predicate, true, OrderKeys.ofText(predicate.text()), rest(predicate.text().length), guards, at);
            default -> {
                set(predicate, predicate.kind() == PredicateKind.TEXT_RANGE, predicate.low(), 0, guards, at);
                guards[at + HIGH] = predicate.high();
            }
        }
    }

    private static void set(
            final Predicate predicate,
            final boolean isOfText,
            final long low,
            final long rest,
            final long[] guards,
            final int at) {
        guards[at] = (long) predicate.slot() << 1 | (isOfText ? 1 : 0);
        guards[at + LOW] = low;
        guards[at + HIGH] = low | rest;
    }

    /** All ones in the bytes of a key after the first ones. */
    private static long rest(final int length) {
        return length >= Long.BYTES ? 0 : (1L << (Byte.SIZE * (Long.BYTES - length))) - 1;
    }
}
