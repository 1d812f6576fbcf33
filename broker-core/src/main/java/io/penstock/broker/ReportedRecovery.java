package io.penstock.broker;

import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.journal.RecoveryListener;
import java.io.IOException;

/** Writes what was damaged into the error log as well. Threads that read shards side by side come one at a time. */
final class ReportedRecovery implements RecoveryListener {
    private final RecoveryListener listener;
    private final ErrorLog errorLog;

    ReportedRecovery(final RecoveryListener listener, final ErrorLog errorLog) {
        this.listener = listener;
        this.errorLog = errorLog;
    }

    @Override
    public synchronized void onProgress(
            final int shard, final long recordCount, final int percent, final long elapsedNs) {
        listener.onProgress(shard, recordCount, percent, elapsedNs);
    }

    @Override
    public synchronized void onRecovered(final Recovery found) {
        listener.onRecovered(found);
    }

    @Override
    public synchronized void onDamage(final int shard, final String text) {
        errorLog.onError(new IOException("shard " + shard + ": " + text));
        listener.onDamage(shard, text);
    }
}
