package io.penstock.standalone.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The messages of one topic, as the lines of a file that is packed in the jar. Immutable. */
final class Feed {
    private final String topic;
    private final UnsafeBuffer[] messages;

    private Feed(final String topic, final UnsafeBuffer[] messages) {
        this.topic = topic;
        this.messages = messages;
    }

    /**
     * Reads a file.
     *
     * @param topic    to publish it to.
     * @param resource name of the file.
     * @return its lines.
     */
    static Feed read(final String topic, final String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(Feed.class.getResourceAsStream(resource), resource)) {
            final UnsafeBuffer[] messages = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(line -> new UnsafeBuffer(line.getBytes(StandardCharsets.UTF_8)))
                    .toArray(UnsafeBuffer[]::new);
            return new Feed(topic, messages);
        }
    }

    String topic() {
        return topic;
    }

    int count() {
        return messages.length;
    }

    DirectBuffer message(final int index) {
        return messages[index];
    }

    boolean isEqual(final int index, final DirectBuffer buffer, final int offset, final int length) {
        final UnsafeBuffer message = messages[index];
        if (message.capacity() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (message.getByte(i) != buffer.getByte(offset + i)) {
                return false;
            }
        }
        return true;
    }
}
