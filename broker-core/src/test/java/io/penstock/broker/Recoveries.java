package io.penstock.broker;

import io.penstock.broker.journal.RecoveryListener;
import java.util.ArrayList;
import java.util.List;

/** Keeps what starts of brokers have said. */
final class Recoveries implements RecoveryListener {
    final List<Recovery> recovered = new ArrayList<>();
    final List<String> damage = new ArrayList<>();

    @Override
    public void onProgress(final int shard, final long recordCount, final int percent, final long elapsedNs) {}

    @Override
    public void onRecovered(final Recovery found) {
        recovered.add(found);
    }

    @Override
    public void onDamage(final int shard, final String text) {
        damage.add(text);
    }
}
