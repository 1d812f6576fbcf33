package io.penstock.broker;

import io.penstock.broker.concurrent.ErrorLog;
import io.penstock.broker.concurrent.OneAtATime;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.journal.RecoveryListener;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Writes damage into the error log as well. Threads that read shards in parallel call it one at a time. */
final class ReportedRecovery implements RecoveryListener {
    private final RecoveryListener listener;
    private final ErrorLog errorLog;
    private final EventLog events;
    private final OneAtATime turns = new OneAtATime();

    ReportedRecovery(final RecoveryListener listener, final ErrorLog errorLog, final EventLog events) {
        this.listener = listener;
        this.errorLog = errorLog;
        this.events = events;
    }

    @Override
    public void onProgress(final int shard, final long recordCount, final int percent, final long elapsedNs) {
        turns.execute(() -> listener.onProgress(shard, recordCount, percent, elapsedNs));
    }

    @Override
    public void onRecovered(final Recovery found) {
        events.report(
                EventKind.JOURNAL_RECOVERED,
                "shard",
                found.shard(),
                "sequence",
                found.sequence(),
                "snapshot",
                found.snapshotSequence(),
                "records",
                found.recordCount(),
                "ms",
                TimeUnit.NANOSECONDS.toMillis(found.elapsedNs()));
        final RecoveryListener.TornTail torn = found.torn();
        if (torn != null) {
            events.report(
                    EventKind.JOURNAL_TORN,
                    "shard",
                    found.shard(),
                    "file",
                    torn.path(),
                    "position",
                    torn.position(),
                    "bytes",
                    torn.length());
        }
        turns.execute(() -> listener.onRecovered(found));
    }

    @Override
    public void onDamage(final int shard, final String text) {
        events.report(EventKind.JOURNAL_DAMAGED, "shard", shard, "reason", text);
        turns.execute(() -> {
            errorLog.onError(new IOException("shard " + shard + ": " + text));
            listener.onDamage(shard, text);
        });
    }
}
