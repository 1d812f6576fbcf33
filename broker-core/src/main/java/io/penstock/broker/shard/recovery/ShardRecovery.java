package io.penstock.broker.shard.recovery;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalRecovery;
import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.journal.KnownFiles;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotFiles;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Restores a shard from its files: reads the newest undamaged snapshot, and the log after it. Used once, by one thread;
 * any other may cancel it.
 */
public final class ShardRecovery {
    private final int shard;
    private final Storage storage;
    private final KnownFiles known;
    private final JournalSettings settings;
    private final LogReplay replay;
    private final RecoveryListener listener;
    private final NanoClock clock;
    private final SnapshotFiles snapshots;
    private final AtomicBoolean isCancelled = new AtomicBoolean();
    private long startNs;
    private long snapshotSequence;
    private long snapshotRecordCount;
    private int snapshotEpoch;

    public ShardRecovery(
            final int shard,
            final Storage storage,
            final KnownFiles known,
            final JournalSettings settings,
            final LogReplay replay,
            final RecoveryListener listener,
            final NanoClock clock) {
        this.shard = shard;
        this.storage = storage;
        this.known = known;
        this.settings = settings;
        this.replay = replay;
        this.listener = listener;
        this.clock = clock;
        snapshots = new SnapshotFiles(storage);
    }

    /** Lets it end with a {@link CancellationException} soon. Any thread. */
    void cancel() {
        isCancelled.set(true);
    }

    /** Reads everything. */
    JournalRecovery.Recovered run() throws IOException {
        startNs = clock.nanoTime();
        final JournalFiles files = JournalFiles.find(shard, known.logId(), storage);
        loadSnapshot(files.beginsAfter());
        final JournalRecovery.End end = new JournalRecovery(
                        files,
                        known,
                        snapshotSequence,
                        settings.quarantines() ? settings.fileLength() : 0,
                        this::onRecord,
                        this::onProgress)
                .run()
                .atLeast(snapshotEpoch);
        if (end.lost() != null) {
            listener.onDamage(shard, end.lost());
        }
        listener.onRecovered(new RecoveryListener.Recovery(
                shard,
                snapshotSequence,
                snapshotRecordCount,
                replay.recordCount(),
                end.sequence(),
                clock.nanoTime() - startNs,
                end.tornLength() > 0
                        ? new RecoveryListener.TornTail(storage.path(end.fileName()), end.position(), end.tornLength())
                        : null));
        return new JournalRecovery.Recovered(files, end);
    }

    /** Which files the shard's log has to have. */
    public KnownFiles known() {
        return known;
    }

    public SnapshotFiles snapshots() {
        return snapshots;
    }

    /** Bytes of the records of the log that were applied. */
    public long recordLength() {
        return replay.recordLength();
    }

    /** The sequence of the snapshot that was read; 0 when none was. */
    public long snapshotSequence() {
        return snapshotSequence;
    }

    /** Reads the newest snapshot that is whole and has the log after it. */
    private void loadSnapshot(final long beginsAfter) throws IOException {
        for (final long sequence : snapshots.sequences()) {
            if (sequence < beginsAfter) {
                // Retention has removed the log after it, as is intended for old snapshots.
                return;
            }
            try {
                // Before anything of it is applied.
                SnapshotReader.verify(storage, shard, known.logId(), sequence);
            } catch (final SnapshotCorruptException e) {
                if (settings.snapshots().areNeeded()) {
                    throw refusal(e);
                }
                listener.onDamage(
                        shard,
                        e.getMessage() + "; it is " + snapshots.putAside(sequence)
                                + " now, and an older one is used, or the whole log");
                continue;
            }
            load(sequence);
            return;
        }
    }

    private static IOException refusal(final SnapshotCorruptException cause) {
        return new IOException(
                cause.getMessage() + " (delete it to start from an older one, or from the whole log)", cause);
    }

    private void load(final long sequence) throws IOException {
        final ImageReplay image = new ImageReplay(replay);
        try (SnapshotReader reader = new SnapshotReader(storage, shard, known.logId(), sequence)) {
            long count = 0;
            while (reader.next()) {
                checkCancelled();
                image.onEntry(reader);
                if (++count % (1 << 16) == 0) {
                    listener.onProgress(
                            shard,
                            count,
                            (int) (100 * reader.position() / reader.fileLength()),
                            clock.nanoTime() - startNs);
                }
            }
            snapshotEpoch = reader.epoch();
        } catch (final SnapshotCorruptException e) {
            // A part of it has been applied: there is no way back.
            throw refusal(e);
        }
        snapshotSequence = sequence;
        snapshotRecordCount = image.recordCount();
    }

    private void onRecord(final DirectBuffer buffer, final int offset, final int length) {
        checkCancelled();
        replay.onRecord(buffer, offset, length);
    }

    private void checkCancelled() {
        if (isCancelled.get()) {
            throw new CancellationException("journal: shard " + shard + ": the start has failed elsewhere");
        }
    }

    private void onProgress(final long count, final int fileIndex, final int fileCount) {
        listener.onProgress(
                shard, snapshotRecordCount + count, 100 * fileIndex / fileCount, clock.nanoTime() - startNs);
    }
}
