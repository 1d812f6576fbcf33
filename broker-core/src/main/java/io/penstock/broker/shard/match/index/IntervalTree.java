package io.penstock.broker.shard.match.index;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of order keys, found by a key within them. A search tree by their lower bounds, where each node knows the highest
 * bound below it, and which is balanced by hashes: a treap (Seidel and Aragon, Randomized search trees, Algorithmica 16,
 * 1996). To find k ranges of n takes about log n steps for each of them at most, to add or to remove one log n.
 */
final class IntervalTree {
    private final PredicateKind kind;
    private final int slot;
    private @Nullable RangePosting root;

    /** The parts of a tree that was divided. */
    private @Nullable RangePosting lower;

    private @Nullable RangePosting upper;

    IntervalTree(final PredicateKind kind, final int slot) {
        this.kind = kind;
        this.slot = slot;
    }

    boolean isEmpty() {
        return root == null;
    }

    void find(final long key, final boolean isOfWhole, final Found found) {
        find(root, key, isOfWhole, found);
    }

    private static void find(
            final @Nullable RangePosting top, final long key, final boolean isOfWhole, final Found found) {
        RangePosting node = top;
        while (node != null && node.highMax >= key) {
            find(node.left, key, isOfWhole, found);
            if (node.low > key) {
                return;
            }
            if (node.high >= key) {
                found.add(node, isOfWhole);
            }
            node = node.right;
        }
    }

    @Nullable
    Posting get(final long low, final long high) {
        RangePosting node = root;
        while (node != null) {
            final int order = node.order(low, high);
            if (order == 0) {
                return node;
            }
            node = order > 0 ? node.left : node.right;
        }
        return null;
    }

    Posting make(final long low, final long high) {
        final Posting present = get(low, high);
        if (present != null) {
            return present;
        }
        final RangePosting made = new RangePosting(kind, slot, low, high);
        root = insert(root, made);
        return made;
    }

    private RangePosting insert(final @Nullable RangePosting top, final RangePosting made) {
        if (top == null) {
            return made;
        }
        if (made.priority() > top.priority()) {
            split(top, made);
            made.left = lower;
            made.right = upper;
            lower = null;
            upper = null;
            made.renew();
            return made;
        }
        if (top.order(made.low, made.high) > 0) {
            top.left = insert(top.left, made);
        } else {
            top.right = insert(top.right, made);
        }
        top.renew();
        return top;
    }

    /** Divides a tree into those before and after a range. */
    private void split(final @Nullable RangePosting top, final RangePosting at) {
        if (top == null) {
            lower = null;
            upper = null;
        } else if (top.order(at.low, at.high) < 0) {
            split(top.right, at);
            top.right = lower;
            top.renew();
            lower = top;
        } else {
            split(top.left, at);
            top.left = upper;
            top.renew();
            upper = top;
        }
    }

    void remove(final Posting posting) {
        root = removed(Objects.requireNonNull(root), (RangePosting) posting);
    }

    private static @Nullable RangePosting removed(final RangePosting top, final RangePosting gone) {
        final int order = top.order(gone.low, gone.high);
        if (order == 0) {
            final RangePosting merged = merged(top.left, top.right);
            top.left = null;
            top.right = null;
            return merged;
        }
        if (order > 0) {
            top.left = removed(Objects.requireNonNull(top.left), gone);
        } else {
            top.right = removed(Objects.requireNonNull(top.right), gone);
        }
        top.renew();
        return top;
    }

    private static @Nullable RangePosting merged(
            final @Nullable RangePosting before, final @Nullable RangePosting after) {
        if (before == null || after == null) {
            return before == null ? after : before;
        }
        if (before.priority() > after.priority()) {
            before.right = merged(before.right, after);
            before.renew();
            return before;
        }
        after.left = merged(before, after.left);
        after.renew();
        return after;
    }
}
