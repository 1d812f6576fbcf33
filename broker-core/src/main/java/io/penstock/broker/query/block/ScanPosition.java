package io.penstock.broker.query.block;

import io.penstock.broker.shard.store.StateStore;
import org.jspecify.annotations.Nullable;

/** Where in some rows an agent's queries are: the block that one of them has taken last. Confined to its query agent. */
final class ScanPosition {
    private final ScanPositions of;
    private final @Nullable StateStore store;

    private int block;
    private int userCount;

    ScanPosition(final ScanPositions of, final @Nullable StateStore store, final int block) {
        this.of = of;
        this.store = store;
        this.block = block;
    }

    boolean isOf(final StateStore other) {
        return other.equals(store);
    }

    /** The block that was taken last, or the one to begin with as long as none was taken. */
    int block() {
        return block;
    }

    /** A query has taken a block. */
    void block(final int number) {
        block = number;
    }

    /** Queries that look at the store. */
    int userCount() {
        return userCount;
    }

    /** A query looks at the store from now on. */
    void enter() {
        userCount++;
    }

    /** A query that has entered does not look at the store any more. */
    void leave() {
        userCount--;
        if (userCount == 0) {
            of.remove(this);
        }
    }
}
