package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_PUBLISHER;
import static io.penstock.protocol.RecordDescriptor.TYPE_TOPIC;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The topics and publishers that the records of a shard's log have named so far. Has one owner. */
public final class LogNames {
    private final List<TopicRecord> topics = new ArrayList<>();
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
            topics.add(TopicRecord.read(buffer, offset));
        } else if (type == TYPE_PUBLISHER) {
            final byte[] name = new byte[RecordDescriptor.length(buffer, offset) - HEADER_LENGTH];
            buffer.getBytes(offset + HEADER_LENGTH, name);
            publishers.put(RecordDescriptor.publisherId(buffer, offset), clientName(new String(name, UTF_8)));
        }
    }

    /** The client in what the log calls a publisher: the length of the user's name, a colon, the user, the client. */
    private static String clientName(final String publisher) {
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
     * @return the topic, or null when the log has not named it.
     */
    public @Nullable TopicRecord topic(final int topicId) {
        return topicId >= 0 && topicId < topics.size() ? topics.get(topicId) : null;
    }

    /**
     * The client that published a record.
     *
     * @param publisherId in the record.
     * @return its name, or null when it has none, or the log has not named it.
     */
    public @Nullable String publisher(final int publisherId) {
        return publishers.get(publisherId);
    }

    /**
     * All topics so far.
     *
     * @return by their ids.
     */
    public List<TopicRecord> topics() {
        return List.copyOf(topics);
    }
}
