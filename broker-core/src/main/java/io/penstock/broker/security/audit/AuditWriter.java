package io.penstock.broker.security.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import io.penstock.file.FileErrors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries into files, many at a time, and puts them on stable storage before it takes others. What is on stable
 * storage is never changed: behind the torn tail of a crash it goes on in another file, whose first entry says so. While
 * the disk fails it tries again, after pauses that grow, and cuts off what it has half written. Used by one thread.
 */
final class AuditWriter {
    private static final int BATCH_COUNT_MAX = 256;
    private static final int BUFFER_LENGTH = 4 * AuditLine.LENGTH_MAX;
    private static final long SWEEP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS_MIN = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NS_MAX = TimeUnit.SECONDS.toNanos(32);

    private final Storage storage;
    private final AuditSettings settings;
    private final AuditTrail trail;
    private final NanoClock clock;
    private final EventLog events;
    private final Counters counters;
    private final List<AuditEntry> batch = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_LENGTH);
    private final Place place = new Place();
    private @Nullable StoredFile file;
    private @Nullable String failure;
    private long failedNs;
    private long retryNs;
    private long sweptNs;

    /**
     * Goes on where the files in a directory end.
     *
     * @throws IOException when they cannot be read, or no file can be written.
     */
    AuditWriter(
            final Storage storage,
            final AuditSettings settings,
            final AuditTrail trail,
            final NanoClock clock,
            final EventLog events,
            final Counters counters)
            throws IOException {
        this.storage = storage;
        this.settings = settings;
        this.trail = trail;
        this.clock = clock;
        this.events = events;
        this.counters = counters;
        sweptNs = clock.nanoTime();
        open(false);
    }

    /** Writes what was recorded. Returns the number of entries. */
    int doWork() {
        final long nowNs = clock.nanoTime();
        if (failure != null && nowNs - failedNs < retryNs) {
            return 0;
        }
        if (failure == null || batch.isEmpty()) {
            take(nowNs);
        }
        if (batch.isEmpty()) {
            return 0;
        }
        try {
            if (failure != null) {
                resume(failure);
            }
            write();
        } catch (final IOException e) {
            onFailure(e, nowNs);
            return 0;
        }
        final int count = batch.size();
        batch.clear();
        counters.written.getAndAddRelease(count);
        if (failure != null) {
            failure = null;
            trail.failed(false);
            events.report(EventKind.AUDIT_RESUMED, "file", storage.path(AuditFiles.name(place.fileNumber)));
        }
        return count;
    }

    private void take(final long nowNs) {
        AuditEntry entry;
        while (batch.size() < BATCH_COUNT_MAX && (entry = trail.poll()) != null) {
            batch.add(entry);
        }
        if (nowNs - sweptNs >= SWEEP_NS) {
            sweptNs = nowNs;
            trail.limiter().sweep(nowNs, this::addOmitted);
        }
        final long lost = trail.takeLost();
        if (lost > 0) {
            counters.lost.getAndAddRelease(lost);
            events.report(EventKind.AUDIT_LOST, "count", lost);
            batch.add(own(AuditKind.LOST, lost, "entries that found no room", "writing was too slow, or failed"));
        }
    }

    private void addOmitted(final String identity, final long count) {
        counters.omitted.getAndAddRelease(count);
        batch.add(own(
                AuditKind.OMITTED,
                count,
                "entries of " + identity,
                "more than " + settings.entriesPerClientMax() + " in a minute"));
    }

    private AuditEntry own(final AuditKind kind, final long count, final String what, final String reason) {
        return new AuditEntry(trail.nowMs(), kind, false, count, AuditClient.BROKER, what, reason);
    }

    /** Writes the batch, and syncs it. */
    private void write() throws IOException {
        if (isChanged()) {
            onChanged();
        }
        for (final AuditEntry entry : batch) {
            append(entry);
        }
        flush();
    }

    /** Whether somebody else has cut, replaced or removed the file: what is written into it would be lost. */
    private boolean isChanged() throws IOException {
        final StoredFile present = Objects.requireNonNull(file);
        return !present.isThere() || present.length() != place.position;
    }

    /** That file stays as it is, as evidence. The chain goes on in another, and shows that entries are missing. */
    private void onChanged() throws IOException {
        final String name = AuditFiles.name(place.fileNumber);
        events.report(EventKind.AUDIT_FILE_CHANGED, "file", storage.path(name), "entry", place.sequence);
        begin();
        append(own(AuditKind.FILE_CHANGED, place.sequence, name, "changed, replaced or removed while it was written"));
    }

    private void append(final AuditEntry entry) throws IOException {
        final String text = AuditLine.text(entry, place.sequence + 1, place.previous);
        final byte[] line = (text + "\n").getBytes(UTF_8);
        final long length = place.position + buffer.position();
        if (length > 0 && length + line.length > settings.fileLength()) {
            flush();
            begin();
        }
        if (buffer.remaining() < line.length) {
            flush();
        }
        buffer.put(line);
        place.sequence++;
        place.previous = text.substring(text.length() - AuditLine.NO_HASH.length() - 2, text.length() - 2);
    }

    private void flush() throws IOException {
        final StoredFile to = Objects.requireNonNull(file);
        if (buffer.position() > 0) {
            final boolean isFirst = place.position == 0;
            final int length = buffer.flip().limit();
            to.write(buffer, place.position);
            to.sync();
            place.position += length;
            place.sync();
            buffer.clear();
            if (isFirst) {
                deleteOld();
            }
        }
    }

    /** Begins another file. */
    private void begin() throws IOException {
        CloseHelper.quietClose(file);
        file = null;
        file = storage.create(AuditFiles.name(place.fileNumber + 1));
        place.fileNumber++;
        place.position = 0;
        file.isThere();
        storage.sync();
        reportHead();
    }

    /** Not before something is in the new one: files without entries never push out others. */
    private void deleteOld() {
        try {
            final List<String> names = AuditFiles.names(storage);
            for (int i = 0; i < names.size() - settings.fileCount(); i++) {
                storage.delete(names.get(i));
            }
        } catch (final IOException e) {
            events.report(EventKind.AUDIT_FAILED, "reason", "old files stay: " + FileErrors.reasonOf(e));
        }
    }

    /** Where a copy of the chain may be held against: whoever changes files cannot change what was noted elsewhere. */
    private void reportHead() {
        events.report(
                EventKind.AUDIT_HEAD,
                "file",
                storage.path(AuditFiles.name(place.fileNumber)),
                "entry",
                place.sequence,
                "hash",
                place.previous);
    }

    /** Looks for the end of what is there. What is behind it is left as it is, and another file begun. */
    private void open(final boolean isOtherFile) throws IOException {
        final AuditTail tail = AuditTail.of(storage);
        final AuditLine last = tail.last();
        place.sequence = last == null ? 0 : last.sequence();
        place.previous = last == null ? AuditLine.NO_HASH : last.hash();
        place.fileNumber = AuditFiles.newest(AuditFiles.names(storage));
        place.position = tail.length();
        place.sync();
        buffer.clear();
        if (tail.isDamaged()) {
            events.report(EventKind.AUDIT_DAMAGED, "file", storage.path(tail.file()));
        }
        if (tail.tornLength() > 0) {
            events.report(EventKind.AUDIT_TORN, "file", storage.path(tail.file()), "bytes", tail.tornLength());
        }
        if (tail.file().isEmpty() || tail.tornLength() > 0 || (isOtherFile && tail.length() > 0)) {
            begin();
        } else {
            file = storage.open(tail.file(), true);
            file.isThere();
            reportHead();
        }
        if (tail.tornLength() > 0) {
            append(own(AuditKind.TORN, tail.tornLength(), tail.file(), "bytes at its end that are no entry"));
            flush();
        }
    }

    private void resume(final String reason) throws IOException {
        if (!cutBack()) {
            open(true);
        }
        append(own(AuditKind.RESUMED, 0, "writing goes on after a failure", reason));
    }

    /** Cuts off what was half written, and was on stable storage at no time; false when that fails. */
    private boolean cutBack() {
        place.cutBack();
        buffer.clear();
        try {
            final StoredFile present = storage.open(AuditFiles.name(place.fileNumber), true);
            file = present;
            present.truncate(place.position);
            return true;
        } catch (final IOException e) {
            CloseHelper.quietClose(file);
            file = null;
            return false;
        }
    }

    private void onFailure(final IOException e, final long nowNs) {
        CloseHelper.quietClose(file);
        file = null;
        failedNs = nowNs;
        retryNs = failure == null ? RETRY_NS_MIN : Math.min(RETRY_NS_MAX, 2 * retryNs);
        if (failure == null) {
            trail.failed(true);
            events.report(EventKind.AUDIT_FAILED, "reason", FileErrors.reasonOf(e));
        }
        failure = FileErrors.reasonOf(e);
    }

    /** Writes everything, when nothing is recorded any more. */
    void finish() {
        trail.limiter().finish(this::addOmitted);
        retryNs = 0;
        while (doWork() > 0) {
            // The next ones.
        }
        if (failure == null) {
            reportHead();
        }
        CloseHelper.quietClose(file);
    }

    /** Where the next entry comes: what it follows, and in which file it is. */
    private static final class Place {
        private long fileNumber;
        private long position;
        private long sequence;
        private String previous = AuditLine.NO_HASH;
        private long syncedSequence;
        private String syncedPrevious = AuditLine.NO_HASH;

        /** All before it is on stable storage. */
        private void sync() {
            syncedSequence = sequence;
            syncedPrevious = previous;
        }

        /** Goes back to where all before it was; the position is never ahead of that. */
        private void cutBack() {
            sequence = syncedSequence;
            previous = syncedPrevious;
        }
    }

    /**
     * What the writer counts.
     *
     * @param written entries in files.
     * @param lost    entries that found no room.
     * @param omitted entries of clients that made too many.
     */
    record Counters(AtomicCounter written, AtomicCounter lost, AtomicCounter omitted) {}
}
