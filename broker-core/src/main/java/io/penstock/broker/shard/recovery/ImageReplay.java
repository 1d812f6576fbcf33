package io.penstock.broker.shard.recovery;

import static io.penstock.broker.journal.snapshot.SnapshotEntry.EXPIRES_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.KEY_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.LENGTHS_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.NAME_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TIMESTAMP_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TOPIC_ID_OFFSET;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.journal.snapshot.SnapshotEntry;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.shard.state.StateTopic;
import io.penstock.broker.shard.store.StateStore;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Restores a shard from a file with its image. Used before the sequencer starts, by the thread that starts it. */
public final class ImageReplay {
    private final LogReplay shard;
    private long recordCount;

    ImageReplay(final LogReplay shard) {
        this.shard = shard;
    }

    /** Applies the next entry. */
    void onEntry(final SnapshotReader entry) throws IOException {
        String wrong;
        try {
            wrong = switch (entry.type()) {
                case SnapshotEntry.TYPE_TOPIC -> shard.addTopic(entry.buffer(), entry.offset(), entry.length());
                case SnapshotEntry.TYPE_TOPICS_DELETED ->
                    shard.skipTopics(entry.buffer().getInt(entry.offset(), LITTLE_ENDIAN));
                case SnapshotEntry.TYPE_PUBLISHER -> onPublisher(entry.buffer(), entry.offset(), entry.length());
                case SnapshotEntry.TYPE_RECORD -> onRecord(entry.buffer(), entry.offset(), entry.length());
                default -> "unknown type " + entry.type();
            };
        } catch (final ReplayLimitException e) {
            throw e.at(shard.shard(), "snapshot " + entry.path());
        } catch (final RuntimeException e) {
            wrong = "it cannot be applied: " + e;
        }
        if (wrong != null) {
            throw entry.corrupt("an entry: " + wrong);
        }
    }

    long recordCount() {
        return recordCount;
    }

    private @Nullable String onPublisher(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] name = new byte[length - NAME_OFFSET];
        buffer.getBytes(offset + NAME_OFFSET, name);
        return shard.addPublisher(new String(name, UTF_8), buffer.getLong(offset, LITTLE_ENDIAN));
    }

    private @Nullable String onRecord(final DirectBuffer buffer, final int offset, final int length) {
        final StateTopic topic = shard.stateTopic(topicId(buffer, offset));
        if (topic == null) {
            return "a record of no topic with state";
        }
        if (!put(topic.store(), buffer, offset, length)) {
            throw ReplayLimitException.noRoom();
        }
        recordCount++;
        return null;
    }

    /** The topic of an entry that is a record. */
    public static int topicId(final DirectBuffer buffer, final int offset) {
        return buffer.getInt(offset + TOPIC_ID_OFFSET, LITTLE_ENDIAN);
    }

    /** Puts an entry that is a record into its topic's store. Returns false when there is no room. */
    public static boolean put(final StateStore store, final DirectBuffer buffer, final int offset, final int length) {
        final int lengths = buffer.getInt(offset + LENGTHS_OFFSET, LITTLE_ENDIAN);
        final int keyLength = SnapshotEntry.keyLength(lengths);
        final int headersLength = SnapshotEntry.headersLength(lengths);
        final int messageOffset = offset + KEY_OFFSET + keyLength;
        try {
            // Each key is there once, so that there is nothing to look for.
            store.put(
                    StateStore.NO_ROW,
                    buffer,
                    offset + KEY_OFFSET,
                    keyLength,
                    buffer,
                    messageOffset,
                    offset + length - messageOffset - headersLength,
                    headersLength,
                    buffer.getLong(offset, LITTLE_ENDIAN),
                    buffer.getLong(offset + TIMESTAMP_OFFSET, LITTLE_ENDIAN),
                    buffer.getLong(offset + EXPIRES_OFFSET, LITTLE_ENDIAN));
            return true;
        } catch (final IllegalStateException e) {
            // There is no other reason.
            return false;
        }
    }
}
