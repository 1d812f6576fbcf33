package io.penstock.broker;

import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.concurrent.OneAtATime;
import io.penstock.broker.journal.RecoveryListener;
import java.io.IOException;

/** Writes what was damaged into the error log as well. Threads that read shards side by side come one at a time. */
final class ReportedRecovery implements RecoveryListener {
    private final RecoveryListener listener;
    private final ErrorLog errorLog;
    private final OneAtATime turns = new OneAtATime();

    ReportedRecovery(final RecoveryListener listener, final ErrorLog errorLog) {
        this.listener = listener;
        this.errorLog = errorLog;
    }

    @Override
    public void onProgress(final int shard, final long recordCount, final int percent, final long elapsedNs) {
        turns.execute(() -> listener.onProgress(shard, recordCount, percent, elapsedNs));
    }

    @Override
    public void onRecovered(final Recovery found) {
        turns.execute(() -> listener.onRecovered(found));
    }

    @Override
    public void onDamage(final int shard, final String text) {
        turns.execute(() -> {
            errorLog.onError(new IOException("shard " + shard + ": " + text));
            listener.onDamage(shard, text);
        });
    }
}
