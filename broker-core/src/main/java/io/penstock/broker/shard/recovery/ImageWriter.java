package io.penstock.broker.shard.recovery;

import static io.penstock.broker.journal.snapshot.SnapshotEntry.EXPIRES_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.KEY_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.LENGTHS_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.NAME_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TIMESTAMP_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TOPIC_ID_OFFSET;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TYPE_PUBLISHER;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TYPE_RECORD;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TYPE_TOPIC;
import static io.penstock.broker.journal.snapshot.SnapshotEntry.TYPE_TOPICS_DELETED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.journal.snapshot.SnapshotEntry;
import io.penstock.broker.journal.snapshot.SnapshotWriter;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.broker.shard.state.StateTopic;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import java.io.IOException;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes a shard's image to a file, some entries at a time, see {@link SnapshotEntry}. Confined to the keeper. */
final class ImageWriter {
    private static final int TABLE_LIMIT = 4096;
    private static final int ROW_LIMIT = 1024;

    private final ShardImage image;
    private final SnapshotWriter file;
    private final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer(1024);
    private final UnsafeBuffer bytes = new UnsafeBuffer(0, 0);
    private int topic;

    /** Topics below it are written, or said to be deleted. */
    private int topicId;

    private int publisher = 1;
    private int state;
    private int row;
    private int rowCount;
    private long recordCount;

    ImageWriter(final ShardImage image, final SnapshotWriter file) {
        this.image = image;
        this.file = file;
    }

    /** Writes some more. Returns false when everything is written. */
    boolean write() throws IOException {
        if (topicId < image.nextTopicId) {
            writeTopics();
            return true;
        }
        if (publisher < image.publishers.length) {
            writePublishers();
            return true;
        }
        if (state < image.states.length) {
            writeRows(image.states[state]);
            return true;
        }
        return false;
    }

    long recordCount() {
        return recordCount;
    }

    private void writeTopics() throws IOException {
        for (int i = 0; i < TABLE_LIMIT && topic < image.topics.length; i++, topic++) {
            writeDeleted(image.topics[topic].id());
            final int length = TopicRecord.write(scratch, 0, image.topics[topic]);
            final int at = file.claim(TYPE_TOPIC, length);
            file.buffer().putBytes(at, scratch, 0, length);
            topicId++;
        }
        if (topic == image.topics.length) {
            writeDeleted(image.nextTopicId);
        }
    }

    /** Says that topics up to a number were deleted, if there are some. */
    private void writeDeleted(final int end) throws IOException {
        if (topicId < end) {
            final int at = file.claim(TYPE_TOPICS_DELETED, Integer.BYTES);
            file.buffer().putInt(at, end - topicId, LITTLE_ENDIAN);
            topicId = end;
        }
    }

    private void writePublishers() throws IOException {
        for (int i = 0; i < TABLE_LIMIT && publisher < image.publishers.length; i++, publisher++) {
            final byte[] name = image.publishers[publisher].getBytes(UTF_8);
            final int at = file.claim(TYPE_PUBLISHER, NAME_OFFSET + name.length);
            file.buffer().putLong(at, image.lastSequences[publisher], LITTLE_ENDIAN);
            file.buffer().putBytes(at + NAME_OFFSET, name);
        }
    }

    private void writeRows(final StateTopic of) throws IOException {
        final StateStore store = of.store();
        if (row == 0) {
            // Rows that are added after the image was made are not in it.
            rowCount = store.rowCount();
        }
        final int end = Math.min(row + ROW_LIMIT, rowCount);
        for (; row < end; row++) {
            final long version = store.versionAt(row, image.sequence());
            if (version != 0) {
                writeRecord(of.topic().id(), version);
            }
        }
        if (row == rowCount) {
            row = 0;
            state++;
        }
    }

    private void writeRecord(final int topicId, final long version) throws IOException {
        final int keyLength = Version.keyLength(version);
        final int headersLength = Version.headersLength(version);
        final int contentLength = keyLength + Version.messageLength(version) + headersLength;
        final int at = file.claim(TYPE_RECORD, KEY_OFFSET + contentLength);
        final MutableDirectBuffer buffer = file.buffer();
        buffer.putLong(at, Version.sequence(version), LITTLE_ENDIAN);
        buffer.putLong(at + TIMESTAMP_OFFSET, Version.timestampNs(version), LITTLE_ENDIAN);
        buffer.putLong(at + EXPIRES_OFFSET, Version.expiresNs(version), LITTLE_ENDIAN);
        buffer.putInt(at + TOPIC_ID_OFFSET, topicId, LITTLE_ENDIAN);
        buffer.putInt(at + LENGTHS_OFFSET, SnapshotEntry.lengths(keyLength, headersLength), LITTLE_ENDIAN);
        bytes.wrap(Version.keyAddress(version), contentLength);
        buffer.putBytes(at + KEY_OFFSET, bytes, 0, contentLength);
        recordCount++;
    }
}
