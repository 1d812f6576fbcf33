package io.penstock.broker.shard.recovery;

import static io.penstock.protocol.RecordDescriptor.TYPE_DERIVED;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalSettings;
import io.penstock.broker.journal.JournalSpares;
import io.penstock.broker.journal.JournalStatus;
import io.penstock.broker.journal.JournalWriter;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/** One shard's way from the window to its files. Confined to the journaler. */
public final class ShardJournal {
    /** Records taken before they are written and synced together, in bytes of the window. */
    private static final long BATCH_LENGTH = 4 * 1024 * 1024;

    private static final long MARK_AFTER_NS = 100_000_000;

    private final JournalSettings settings;
    private final JournalFiles files;
    private final JournalSpares spares;
    private final JournalWriter writer;
    private final JournalSource source;
    private final ShardCounters counters;
    private final EventLog events;
    private final PersistTimes times;
    private long committedPosition;
    private long uncommittedSinceNs;
    private long committedNs;
    private boolean isMarked = true;
    private boolean isBlocked;
    private boolean isFull;
    private boolean isFailed;

    /**
     * Goes on after the last record of the files.
     *
     * @param settings of the files.
     * @param files    of the shard.
     * @param spares   files made ahead.
     * @param writer   of the records; this closes it.
     * @param source   of the records.
     * @param counters of the shard.
     * @param events   for the operator.
     * @param times    of the shard's groups.
     */
    public ShardJournal(
            final JournalSettings settings,
            final JournalFiles files,
            final JournalSpares spares,
            final JournalWriter writer,
            final JournalSource source,
            final ShardCounters counters,
            final EventLog events,
            final PersistTimes times) {
        this.settings = settings;
        this.files = files;
        this.spares = spares;
        this.writer = writer;
        this.source = source;
        this.counters = counters;
        this.events = events;
        this.times = times;
        counters.durableSequence().setRelease(writer.durableSequence());
        counters.writtenSequence().setRelease(writer.writtenSequence());
    }

    /** Takes records, and commits them when that is due. Returns work done. */
    public int doWork(final long nowNs) {
        if (isFailed) {
            return 0;
        }
        try {
            final int taken = take();
            if (taken > 0 && uncommittedSinceNs == 0) {
                // 0 stands for none.
                uncommittedSinceNs = nowNs | 1;
            }
            source.release();
            if (isDue(nowNs)) {
                commit(nowNs);
                return taken + 1;
            }
            if (uncommittedSinceNs == 0 && source.position() > committedPosition) {
                // Records since then do not go to files: nobody has to wait for them.
                committedPosition = source.position();
                counters.durablePosition().setRelease(committedPosition);
                return taken + 1;
            }
            if (!isMarked && nowNs - committedNs > MARK_AFTER_NS) {
                isMarked = true;
                writer.mark();
            }
            return taken;
        } catch (final IOException e) {
            throw fail(e);
        }
    }

    /** Whether something waits to be committed. */
    public boolean isPending() {
        return uncommittedSinceNs != 0;
    }

    /** The time until what is pending has to be committed; below 0 when it is late. */
    public long dueInNs(final long nowNs) {
        return uncommittedSinceNs + settings.sync().intervalNs() - nowNs;
    }

    /** Whether the journal waits for a file. */
    public boolean isBlocked() {
        return isBlocked;
    }

    /** Whether there is something to do later, without a new record. */
    public boolean isMarkPending() {
        return !isMarked && !isFailed;
    }

    /** Writes what is left, and closes the files. */
    public void close() {
        try {
            while (!isFailed && (take() > 0 || isBlocked)) {
                if (isBlocked && !spares.prepare() && spares.problem() != null) {
                    throw new IOException(spares.problem());
                }
            }
            if (!isFailed) {
                commit(0);
                writer.close();
            }
            writer.free();
        } catch (final IOException e) {
            throw fail(e);
        }
    }

    /** Closes the files as they are. */
    public void abandon() {
        CloseHelper.quietClose(writer::free);
    }

    private int take() throws IOException {
        int count = 0;
        final long limit = source.position() + BATCH_LENGTH;
        isBlocked = false;
        while (source.next(limit)) {
            if (RecordDescriptor.type(source.buffer(), source.offset()) == TYPE_DERIVED) {
                continue;
            }
            if (count == 0 && uncommittedSinceNs == 0) {
                times.onBegun(RecordDescriptor.timestampNs(source.buffer(), source.offset()));
            }
            if (!append()) {
                source.back();
                isBlocked = true;
                break;
            }
            count++;
        }
        onFull(isBlocked ? spares.problem() : null);
        return count;
    }

    private void onFull(final @Nullable String problem) {
        final boolean isFullNow = problem != null;
        counters.journalStatus().setRelease(isFullNow ? JournalStatus.FULL : JournalStatus.OPEN);
        if (isFullNow != isFull) {
            isFull = isFullNow;
            if (problem != null) {
                events.report(EventKind.JOURNAL_FULL, "shard", files.shard(), "reason", problem);
            } else {
                events.report(EventKind.JOURNAL_HAS_ROOM, "shard", files.shard());
            }
        }
    }

    private boolean append() throws IOException {
        return writer.append(source.buffer(), source.bytes(), source.offset(), source.length());
    }

    private boolean isDue(final long nowNs) {
        return uncommittedSinceNs != 0
                && (settings.sync().policy() == SyncPolicy.ALWAYS
                        || nowNs - uncommittedSinceNs >= settings.sync().intervalNs()
                        || source.position() - committedPosition
                                >= settings.sync().intervalLength());
    }

    private void commit(final long nowNs) throws IOException {
        writer.write();
        counters.writtenSequence().setRelease(writer.writtenSequence());
        writer.sync();
        committedPosition = source.position();
        if (uncommittedSinceNs != 0) {
            times.onCommitted();
        }
        uncommittedSinceNs = 0;
        committedNs = nowNs;
        isMarked = false;
        counters.journalSyncs().incrementPlain();
        counters.journalBytes().setRelease(writer.bytesWritten());
        counters.durableSequence().setRelease(writer.durableSequence());
        counters.durablePosition().setRelease(committedPosition);
    }

    private UncheckedIOException fail(final IOException cause) {
        isFailed = true;
        counters.journalStatus().setRelease(JournalStatus.FAILED);
        events.report(EventKind.JOURNAL_FAILED, "shard", files.shard(), "reason", String.valueOf(cause.getMessage()));
        return new UncheckedIOException(
                "journal: shard " + files.shard() + " in " + files.storage().path("")
                        + " has failed; nothing more is acknowledged as persisted (mend the disk, restart the broker): "
                        + cause.getMessage(),
                cause);
    }
}
