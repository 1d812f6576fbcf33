package io.penstock.broker.history;

import static io.penstock.protocol.RecordDescriptor.TYPE_DELETE;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;

import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalReader;
import io.penstock.broker.journal.snapshot.SnapshotEntry;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.shard.recovery.ImageReplay;
import io.penstock.broker.shard.recovery.StateReplay;
import io.penstock.broker.shard.state.RecordChange;
import io.penstock.broker.shard.store.ExpirySearch;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One shard's part of state as it was: a snapshot, and the log after it up to the last record that counts. Confined to
 * the historian.
 */
final class PastShard implements AutoCloseable {
    private static final int RECORD_LIMIT = 1024;

    private final HistoryTask task;
    private final PastLog past;
    private JournalFiles files;
    private final PastPoint point;
    private final List<String> passedOver;
    private final StateMemory memory;
    private final Snapshots snapshots = new Snapshots();
    private final long firstSequence;
    private final Map<Integer, PastTopic> topics = new HashMap<>();
    private Phase phase;
    private @Nullable SnapshotReader image;
    private @Nullable JournalReader log;
    private long imageSequence;
    private long imageRecords;
    private long logRecords;

    /** How far it is. */
    private enum Phase {
        LISTING,
        LOCATING,
        LOADING,
        READING,
        EXPIRING,
        MADE
    }

    /** A topic that is asked for. */
    private record PastTopic(StateStore store, StateReplay replay, ExpirySearch search) {}

    /** @param passedOver snapshots that are not to be read, to which this one adds. */
    PastShard(
            final PastLog log,
            final HistoryTask task,
            final List<Topic> wanted,
            final StateMemory memory,
            final List<String> passedOver) {
        this.task = task;
        this.memory = memory;
        this.passedOver = passedOver;
        past = log;
        files = log.files();
        phase = log.archive() == null ? Phase.LOCATING : Phase.LISTING;
        firstSequence = files.firstSequence();
        point = new PastPoint(log, task.timeNs(), task.sequence(log.files().shard()));
        for (final Topic topic : wanted) {
            final StateRule rule = topic.state();
            if (rule != null) {
                final StateStore store = new StateStore(memory, snapshots, Long.MAX_VALUE);
                topics.put(topic.id(), new PastTopic(store, new StateReplay(topic, new RecordChange(rule, store)), new ExpirySearch()));
            }
        }
    }

    /** Does some of the work. Returns how much; 0 when it waits for the log to be written. */
    int make() throws IOException, HistoryRefusedException {
        return switch (phase) {
            case LISTING -> list();
            case LOCATING -> locate();
            case LOADING -> load();
            case READING -> read();
            case EXPIRING -> expire();
            case MADE -> 0;
        };
    }

    boolean isMade() {
        return phase == Phase.MADE;
    }

    /** Records that there are to read, as far as that is known. */
    long recordCount() {
        return imageRecords + Math.max(0, point.sequence() - imageSequence);
    }

    long recordsRead() {
        return imageRecords + logRecords;
    }

    /** Whether the log has lost files since this was begun, so that what is missing may have been in them. */
    boolean isLogGone() {
        return past.files().firstSequence() > firstSequence;
    }

    /** The snapshot that was chosen is not to be read again. */
    void passOverSnapshot() {
        passedOver.add(files.shard() + ":" + imageSequence);
    }

    void addSources(final @Nullable List<byte[]> keys, final List<QuerySource> sources) {
        for (final Topic topic : task.topics()) {
            final PastTopic past = topic.shard() == files.shard() ? topics.get(topic.id()) : null;
            if (past != null) {
                final int[] rows = keys == null ? null : rows(past.store, keys);
                sources.add(new QuerySource(topic, past.store, snapshots.open(point.sequence()), rows));
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            closeReaders();
        } finally {
            for (final PastTopic topic : topics.values()) {
                topic.store.close();
            }
        }
    }

    private int list() throws IOException, HistoryRefusedException {
        if (!point.isWritten()) {
            return 0;
        }
        // From here on there is a file for each record that counts.
        files = past.withArchive();
        point.files(files);
        phase = Phase.LOCATING;
        return locate();
    }

    private int locate() throws IOException, HistoryRefusedException {
        if (!point.find()) {
            return point.workCount();
        }
        imageSequence = point.chooseSnapshot(passedOver);
        if (imageSequence > 0) {
            image = new SnapshotReader(
                    files.storage(), files.shard(), past.files().logId(), imageSequence);
            phase = Phase.LOADING;
        } else {
            beginLog();
        }
        return 1;
    }

    private int load() throws IOException, HistoryRefusedException {
        final SnapshotReader from = image;
        if (from == null) {
            throw new IllegalStateException("history: no snapshot is open");
        }
        for (int i = 0; i < RECORD_LIMIT; i++) {
            if (!from.next()) {
                closeReaders();
                beginLog();
                return 1;
            }
            if (from.type() == SnapshotEntry.TYPE_RECORD) {
                imageRecords++;
                final PastTopic topic = topics.get(ImageReplay.topicId(from.buffer(), from.offset()));
                if (topic != null && !ImageReplay.put(topic.store, from.buffer(), from.offset(), from.length())) {
                    throw PastState.tooLong(memory);
                }
            }
        }
        return RECORD_LIMIT;
    }

    private void beginLog() throws IOException {
        phase = Phase.READING;
        if (imageSequence < point.sequence()) {
            final JournalReader reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT);
            log = reader;
            reader.seek(imageSequence + 1);
        }
    }

    private int read() throws IOException, HistoryRefusedException {
        final JournalReader from = log;
        for (int i = 0; i < RECORD_LIMIT; i++) {
            if (from == null || !from.next(point.sequence())) {
                closeReaders();
                phase = task.timeNs() == HistoryTask.NO_TIME ? Phase.MADE : Phase.EXPIRING;
                return 1;
            }
            logRecords++;
            apply(from);
        }
        return RECORD_LIMIT;
    }

    private void apply(final JournalReader from) throws IOException, HistoryRefusedException {
        final int type = RecordDescriptor.type(from.buffer(), from.offset());
        if (type != TYPE_MESSAGE && type != TYPE_DELETE) {
            return;
        }
        final PastTopic topic = topics.get(RecordDescriptor.topicId(from.buffer(), from.offset()));
        final String wrong = topic == null ? null : topic.replay.apply(from.buffer(), from.offset());
        if (wrong == null) {
            return;
        }
        if (wrong.equals(StateReplay.NO_ROOM)) {
            throw PastState.tooLong(memory);
        }
        throw new IOException("record " + files.shard() + ":" + RecordDescriptor.sequence(from.buffer(), from.offset())
                + ": " + wrong);
    }

    /** Deletes records that had expired by then, whether a later record deletes them or not. */
    private int expire() {
        int count = 0;
        for (final PastTopic topic : topics.values()) {
            while (topic.store.mayExpire(task.timeNs())) {
                topic.search.beginTurn();
                if (count++ == RECORD_LIMIT) {
                    return count;
                }
                final int row = topic.store.nextExpired(topic.search, task.timeNs(), task.timeNs());
                if (row != StateStore.NO_ROW) {
                    topic.store.delete(row, point.sequence());
                }
            }
        }
        phase = Phase.MADE;
        return count + 1;
    }

    private static int[] rows(final StateStore store, final List<byte[]> keys) {
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        final int[] rows = new int[keys.size()];
        for (int i = 0; i < rows.length; i++) {
            key.wrap(keys.get(i));
            rows[i] = store.find(key, 0, key.capacity());
        }
        return rows;
    }

    private void closeReaders() throws IOException {
        final SnapshotReader opened = image;
        final JournalReader reading = log;
        image = null;
        log = null;
        if (opened != null) {
            opened.close();
        }
        if (reading != null) {
            reading.close();
        }
        point.close();
    }
}
