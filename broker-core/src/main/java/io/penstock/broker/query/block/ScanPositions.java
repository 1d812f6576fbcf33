package io.penstock.broker.query.block;

import io.penstock.broker.shard.store.StateStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent's queries are in the stores that they look at. A query that begins goes on from where others of the same
 * store are, so that all of them look at a block while its columns are in the processor's cache; the blocks before that
 * it looks at when it has come round. No query waits for another one: one that takes longer for a block joins the others
 * again where they are then. Confined to one query agent.
 */
public final class ScanPositions {
    private final List<ScanPosition> positions = new ArrayList<>();

    /** No query looks at anything. */
    public ScanPositions() {}

    /** Whether some query of the agent looks at a store. */
    boolean has(final StateStore store) {
        return find(store) != null;
    }

    /** A query looks at a store from now on; from a first block on, unless another one is there already. */
    ScanPosition enter(final StateStore store, final int first) {
        ScanPosition position = find(store);
        if (position == null) {
            position = new ScanPosition(this, store, first);
            positions.add(position);
        }
        position.enter();
        return position;
    }

    /** A query looks at rows of its own from now on. */
    ScanPosition enter(final int first) {
        final ScanPosition position = new ScanPosition(this, null, first);
        positions.add(position);
        position.enter();
        return position;
    }

    /** No query is there any more. */
    void remove(final ScanPosition position) {
        positions.remove(position);
    }

    private @Nullable ScanPosition find(final StateStore store) {
        for (int i = 0; i < positions.size(); i++) {
            if (positions.get(i).isOf(store)) {
                return positions.get(i);
            }
        }
        return null;
    }
}
