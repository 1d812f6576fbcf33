package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_PUBLISHER;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.journal.snapshot.SnapshotCorruptException;
import io.penstock.broker.journal.snapshot.SnapshotEntry;
import io.penstock.broker.journal.snapshot.SnapshotReader;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The topics and publishers that a snapshot, and the records of a shard's log so far, have named. Has one owner. */
public final class LogNames {
    private final Map<Integer, TopicRecord> topics = new HashMap<>();
    private final Map<Integer, String> publishers = new HashMap<>();

    /** Knows none yet. */
    public LogNames() {}

    /**
     * Takes what a record names, if it does.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     */
    public void onRecord(final DirectBuffer buffer, final int offset) {
        final int type = RecordDescriptor.type(buffer, offset);
        if (type == TYPE_TOPIC) {
            topics.put(RecordDescriptor.topicId(buffer, offset), TopicRecord.read(buffer, offset));
        } else if (type == TYPE_PUBLISHER) {
            final int length = RecordDescriptor.length(buffer, offset) - HEADER_LENGTH;
            publishers.put(
                    RecordDescriptor.publisherId(buffer, offset), clientName(buffer, offset + HEADER_LENGTH, length));
        }
    }

    /**
     * Takes what a snapshot names, and reads no more of it.
     *
     * @param snapshot before its first entry.
     * @throws SnapshotCorruptException when what is read of it is not what was written; some names may be taken then.
     * @throws IOException              when it cannot be read.
     */
    public void load(final SnapshotReader snapshot) throws IOException {
        int topicId = 0;
        int publisherId = 1;
        while (snapshot.next() && snapshot.type() != SnapshotEntry.TYPE_RECORD) {
            final DirectBuffer buffer = snapshot.buffer();
            final int offset = snapshot.offset();
            if (snapshot.type() == SnapshotEntry.TYPE_TOPIC) {
                topics.put(topicId++, TopicRecord.readContent(buffer, offset));
            } else if (snapshot.type() == SnapshotEntry.TYPE_TOPICS_DELETED) {
                topicId += buffer.getInt(offset, ByteOrder.LITTLE_ENDIAN);
            } else if (snapshot.type() == SnapshotEntry.TYPE_PUBLISHER) {
                publishers.put(
                        publisherId++,
                        clientName(
                                buffer,
                                offset + SnapshotEntry.NAME_OFFSET,
                                snapshot.length() - SnapshotEntry.NAME_OFFSET));
            }
        }
    }

    private static String clientName(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] name = new byte[length];
        buffer.getBytes(offset, name);
        return clientName(new String(name, UTF_8));
    }

    /**
     * The client in what the log calls a publisher: the length of the user's name, a colon, the user, the client.
     *
     * @param publisher as the log has it.
     * @return the client's name.
     */
    public static String clientName(final String publisher) {
        final int colon = publisher.indexOf(':');
        if (colon < 1 || !publisher.substring(0, colon).matches("[0-9]{1,5}")) {
            return publisher;
        }
        final int userLength = Integer.parseInt(publisher.substring(0, colon));
        return publisher.substring(Math.min(publisher.length(), colon + 1 + userLength));
    }

    /**
     * The topic that a record is of.
     *
     * @param topicId in the record.
     * @return the topic, or null when nothing has named it.
     */
    public @Nullable TopicRecord topic(final int topicId) {
        return topics.get(topicId);
    }

    /**
     * The client that published a record.
     *
     * @param publisherId in the record.
     * @return its name, or null when it has none, or nothing has named it.
     */
    public @Nullable String publisher(final int publisherId) {
        return publishers.get(publisherId);
    }
}
