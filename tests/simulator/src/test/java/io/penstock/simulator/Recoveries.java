package io.penstock.simulator;

import io.penstock.broker.journal.RecoveryListener;
import java.util.HashMap;
import java.util.Map;

/** What the broker that has started last says that it has found. */
final class Recoveries implements RecoveryListener {
    private final Map<Integer, Recovery> found = new HashMap<>();

    void clear() {
        found.clear();
    }

    Recovery of(final int shard) {
        final Recovery recovery = found.get(shard);
        if (recovery == null) {
            throw new Violation("nothing is said of shard " + shard);
        }
        return recovery;
    }

    @Override
    public void onProgress(final int shard, final long recordCount, final int percent, final long elapsedNs) {}

    @Override
    public void onRecovered(final Recovery recovery) {
        found.put(recovery.shard(), recovery);
    }

    @Override
    public void onDamage(final int shard, final String text) {}
}
