package io.penstock.broker.shard.match.index;

import io.penstock.broker.filter.condition.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a filter is found: predicates one of which is true wherever the filter is.
 *
 * @param predicates one or more.
 * @param certain    of those the ones which the filter is true with, by their bits up to the last one that a long has.
 * @param share      of the messages in which one is true, as far as that is known; a sum, which may be more than 1.
 * @param isOnly     whether there is no other way.
 */
record Access(List<Predicate> predicates, long certain, double share, boolean isOnly) {
    /** A filter with more predicates is evaluated for each message. */
    private static final int PREDICATES_MAX = 4096;

    boolean isCertain(final int index) {
        return index < Long.SIZE && (certain >>> index & 1) != 0;
    }

    /**
     * Finds the one that is true of the fewest messages.
     *
     * @param condition of the filter.
     * @param filter    that knows the slots of its fields.
     * @param estimates of shares.
     * @return null when there is none.
     */
    static @Nullable Access best(final Condition condition, final IndexedFilter filter, final Estimates estimates) {
        if (condition instanceof Condition.Test test) {
            return ofTest(test, filter, estimates);
        }
        return condition instanceof Condition.All all
                ? ofAll(all, filter, estimates)
                : ofAny((Condition.Any) condition, filter, estimates);
    }

    private static @Nullable Access ofTest(
            final Condition.Test test, final IndexedFilter filter, final Estimates estimates) {
        final List<Predicate> predicates =
                test.field() == null ? List.of() : Predicates.of(test, filter.slotOf(test.field()));
        if (predicates.isEmpty() || predicates.size() > PREDICATES_MAX) {
            return null;
        }
        long certain = 0;
        double share = 0;
        for (int i = 0; i < predicates.size(); i++) {
            certain |= i < Long.SIZE && predicates.get(i).isExact() ? 1L << i : 0;
            share += estimates.share(predicates.get(i));
        }
        return new Access(predicates, certain, share, predicates.stream().noneMatch(Access::hasOther));
    }

    /** Whether a predicate has several postings to choose from, by other bytes of its text. */
    private static boolean hasOther(final Predicate predicate) {
        return predicate.kind() == PredicateKind.CONTAINS && predicate.text().length > GramPostings.LENGTH_MAX;
    }

    private static @Nullable Access ofAll(
            final Condition.All all, final IndexedFilter filter, final Estimates estimates) {
        Access best = null;
        int count = 0;
        boolean isOnly = true;
        for (final Condition operand : all.operands()) {
            final Access access = best(operand, filter, estimates);
            if (access != null) {
                count++;
                isOnly &= access.isOnly();
                best = best == null || access.share() < best.share() ? access : best;
            }
        }
        if (best == null) {
            return null;
        }
        final Access range = MergedRange.of(all, filter, estimates);
        if (range != null && range.share() <= best.share()) {
            return range;
        }
        return new Access(best.predicates(), 0, best.share(), isOnly && count == 1);
    }

    private static @Nullable Access ofAny(
            final Condition.Any any, final IndexedFilter filter, final Estimates estimates) {
        final List<Predicate> predicates = new ArrayList<>();
        long certain = 0;
        double share = 0;
        boolean isOnly = true;
        for (final Condition operand : any.operands()) {
            final Access access = best(operand, filter, estimates);
            if (access == null || predicates.size() + access.predicates().size() > PREDICATES_MAX) {
                return null;
            }
            certain |= predicates.size() < Long.SIZE ? access.certain() << predicates.size() : 0;
            share += access.share();
            isOnly &= access.isOnly();
            predicates.addAll(access.predicates());
        }
        return new Access(predicates, certain, share, isOnly);
    }

    /** Says what share of messages a predicate is true of. */
    interface Estimates {
        double share(Predicate predicate);
    }
}
