package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.condition.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of one field, as in {@code a >= 1 AND a < 5}: one range. Of an array different elements may be within them, so that a
 * filter is found for each array as well.
 */
final class MergedRange {
    private final Predicate first;
    private long low;
    private long high;
    private int count = 1;
    private boolean isExact;

    private MergedRange(final Predicate first) {
        this.first = first;
        low = first.low();
        high = first.high();
        isExact = first.isExact();
    }

    /**
     * Finds two or more bounds of one field.
     *
     * @param all       that have to hold.
     * @param filter    that knows the slots of its fields.
     * @param estimates of shares.
     * @return the first field's range that has several; null when there is none.
     */
    static @Nullable Access of(final Condition.All all, final IndexedFilter filter, final Access.Estimates estimates) {
        final List<Condition> operands = all.operands();
        for (int i = 0; i < operands.size(); i++) {
            final Predicate bound = bound(operands.get(i), filter);
            if (bound == null) {
                continue;
            }
            final MergedRange range = new MergedRange(bound);
            for (int j = i + 1; j < operands.size(); j++) {
                final Predicate other = bound(operands.get(j), filter);
                if (other != null && other.slot() == bound.slot() && other.kind() == bound.kind()) {
                    range.add(other);
                }
            }
            if (range.count > 1) {
                return range.access(range.count == operands.size(), estimates);
            }
        }
        return null;
    }

    private static @Nullable Predicate bound(final Condition condition, final IndexedFilter filter) {
        if (!(condition instanceof Condition.Test test) || test.field() == null || !Predicates.isOfBound(test)) {
            return null;
        }
        final Predicate predicate =
                Predicates.of(test, filter.slotOf(test.field())).get(0);
        return predicate.kind() == PredicateKind.RANGE || predicate.kind() == PredicateKind.TEXT_RANGE
                ? predicate
                : null;
    }

    private void add(final Predicate other) {
        low = Math.max(low, other.low());
        high = Math.min(high, other.high());
        isExact &= other.isExact();
        count++;
    }

    private Access access(final boolean isWhole, final Access.Estimates estimates) {
        final Predicate array = Predicate.of(first.slot(), PredicateKind.ARRAY, false);
        final double shareOfArrays = estimates.share(array);
        if (low > high) {
            return new Access(List.of(array), 0, shareOfArrays, isWhole);
        }
        final Predicate range = Predicate.ofRange(first.slot(), first.kind(), low, high, isExact);
        return new Access(
                List.of(range, array), isWhole && isExact ? 1 : 0, estimates.share(range) + shareOfArrays, isWhole);
    }
}
