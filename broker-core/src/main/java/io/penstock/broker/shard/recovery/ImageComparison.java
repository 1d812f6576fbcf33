package io.penstock.broker.shard.recovery;

import static io.penstock.broker.journal.snapshot.SnapshotEntry.EXPIRES_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.KEY_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.LENGTHS_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TIMESTAMP_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TOPIC_ID_OFFSET;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.journal.snapshot.SnapshotEntry;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Finds where a snapshot and an image of the same sequence differ. Used once. */
final class ImageComparison {
    private final List<@Nullable ImageTopic> topics;
    private final ImagePublishers publishers;
    private final StateImage.DifferenceHandler handler;
    private final StateImage.PublisherHandler publisherHandler;
    private final BitSet[] met;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer imageMessage = new UnsafeBuffer(0, 0);
    private int topicCount;
    private int publisherCount;

    ImageComparison(
            final List<@Nullable ImageTopic> topics,
            final ImagePublishers publishers,
            final StateImage.DifferenceHandler handler,
            final StateImage.PublisherHandler publisherHandler) {
        this.topics = topics;
        this.publishers = publishers;
        this.handler = handler;
        this.publisherHandler = publisherHandler;
        met = new BitSet[topics.size()];
        for (int i = 0; i < met.length; i++) {
            met[i] = new BitSet();
        }
    }

    void run(final SnapshotReader snapshot) throws IOException {
        while (snapshot.next()) {
            if (snapshot.type() == SnapshotEntry.TYPE_TOPIC) {
                onTopic(TopicRecord.readContent(snapshot.buffer(), snapshot.offset()));
            } else if (snapshot.type() == SnapshotEntry.TYPE_TOPICS_DELETED) {
                onDeleted(topicCount + snapshot.buffer().getInt(snapshot.offset(), LITTLE_ENDIAN));
            } else if (snapshot.type() == SnapshotEntry.TYPE_PUBLISHER) {
                publishers.compare(
                        publisherCount++, snapshot.buffer(), snapshot.offset(), snapshot.length(), publisherHandler);
            } else if (snapshot.type() == SnapshotEntry.TYPE_RECORD) {
                onRecord(snapshot.buffer(), snapshot.offset(), snapshot.length());
            }
        }
        onDeleted(topics.size());
        publishers.compareRest(publisherCount, publisherHandler);
        for (int i = 0; i < met.length; i++) {
            final ImageTopic topic = topics.get(i);
            if (topic != null) {
                reportUnmet(topic, met[i]);
            }
        }
    }

    /** The snapshot does not have topics up to an id. */
    private void onDeleted(final int end) {
        for (; topicCount < end; topicCount++) {
            final ImageTopic topic = topicCount < topics.size() ? topics.get(topicCount) : null;
            if (topic != null) {
                differs(topic.said(), "the snapshot does not have the topic");
            }
        }
    }

    private void onTopic(final TopicRecord said) {
        final int topicId = topicCount++;
        final ImageTopic topic = topicId < topics.size() ? topics.get(topicId) : null;
        if (topic == null) {
            differs(said, "only the snapshot has the topic");
        } else if (!said.equals(topic.said())) {
            differs(said, "the snapshot has it as " + describe(said) + ", the log makes it " + describe(topic.said()));
        }
    }

    private static String describe(final TopicRecord said) {
        final StateRule rule = said.state();
        return said.name() + ", " + said.format()
                + (rule == null
                        ? ", without state"
                        : ", key " + rule.keyText() + ", expiration of " + rule.expirationNs() + " ns");
    }

    private void onRecord(final DirectBuffer buffer, final int offset, final int length) throws IOException {
        final int topicId = buffer.getInt(offset + TOPIC_ID_OFFSET, LITTLE_ENDIAN);
        if (topicId < 0 || topicId >= topicCount) {
            throw new IOException("snapshot: a record of topic " + topicId + ", and there are " + topicCount);
        }
        final ImageTopic topic = topicId < topics.size() ? topics.get(topicId) : null;
        if (topic == null) {
            // Said of the topic already.
            return;
        }
        final int lengths = buffer.getInt(offset + LENGTHS_OFFSET, LITTLE_ENDIAN);
        final int keyLength = SnapshotEntry.keyLength(lengths);
        final int messageOffset = offset + KEY_OFFSET + keyLength;
        key.wrap(buffer, offset + KEY_OFFSET, keyLength);
        message.wrap(buffer, messageOffset, offset + length - messageOffset);
        final StateStore store = topic.store();
        final int row = store == null ? StateStore.NO_ROW : store.find(key, 0, keyLength);
        final long sequence = buffer.getLong(offset, LITTLE_ENDIAN);
        if (store == null || row == StateStore.NO_ROW) {
            handler.onDifference(topic.said(), key, "only the snapshot has it, of record " + sequence);
            return;
        }
        met[topicId].set(row);
        final String what = difference(
                store.newest(row),
                SnapshotEntry.headersLength(lengths),
                sequence,
                buffer.getLong(offset + TIMESTAMP_OFFSET, LITTLE_ENDIAN),
                buffer.getLong(offset + EXPIRES_OFFSET, LITTLE_ENDIAN));
        if (what != null) {
            handler.onDifference(topic.said(), key, what);
        }
    }

    private @Nullable String difference(
            final long version,
            final int headersLength,
            final long sequence,
            final long timestampNs,
            final long expiresNs) {
        if (Version.sequence(version) != sequence) {
            return "the snapshot has it of record " + sequence + ", the log makes it by record "
                    + Version.sequence(version);
        }
        Version.wrapContent(imageMessage, version);
        if (Version.headersLength(version) != headersLength || imageMessage.compareTo(message) != 0) {
            return "its message is not that of record " + sequence;
        }
        return Version.timestampNs(version) == timestampNs && Version.expiresNs(version) == expiresNs
                ? null
                : "its times are not those of record " + sequence;
    }

    private void reportUnmet(final ImageTopic topic, final BitSet known) {
        final StateStore store = topic.store();
        if (store == null) {
            return;
        }
        for (int row = known.nextClearBit(0); row < store.rowCount(); row = known.nextClearBit(row + 1)) {
            final long version = store.newest(row);
            if (version != 0) {
                Version.wrapKey(key, version);
                handler.onDifference(
                        topic.said(),
                        key,
                        "the snapshot does not have it, the log makes it by record " + Version.sequence(version));
            }
        }
    }

    private void differs(final TopicRecord topic, final String what) {
        key.wrap(0, 0);
        handler.onDifference(topic, key, what);
    }
}
