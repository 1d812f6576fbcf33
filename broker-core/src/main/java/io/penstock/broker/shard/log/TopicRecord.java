package io.penstock.broker.shard.log;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The content of a record that creates a topic.
 *
 * @param name   of the topic.
 * @param format of its messages.
 * @param state  how it keeps the last value of each key, or null.
 */
public record TopicRecord(
        String name, String format, @Nullable StateRule state) {
    /**
     * Reads a record of type {@code TYPE_TOPIC}.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     * @return what it says.
     */
    public static TopicRecord read(final DirectBuffer buffer, final int offset) {
        return readContent(buffer, offset + HEADER_LENGTH);
    }

    /**
     * Reads what follows the header of such a record, or an entry of a snapshot.
     *
     * @param buffer that holds it.
     * @param offset of its first byte.
     * @return what it says.
     */
    public static TopicRecord readContent(final DirectBuffer buffer, final int offset) {
        int at = offset;
        final String name = text(buffer, at);
        at += textLength(buffer, at);
        final String format = text(buffer, at);
        at += textLength(buffer, at);
        final String key = text(buffer, at);
        at += textLength(buffer, at);
        return new TopicRecord(
                name, format, key.isEmpty() ? null : StateRule.parse(key, buffer.getLong(at, LITTLE_ENDIAN)));
    }

    /**
     * Writes what follows the header of such a record.
     *
     * @param buffer that grows as needed.
     * @param offset to write at.
     * @param topic  that was made.
     * @return length in bytes.
     */
    public static int write(final MutableDirectBuffer buffer, final int offset, final Topic topic) {
        final StateRule rule = topic.state();
        int at = offset;
        at += putText(buffer, at, topic.name());
        at += putText(buffer, at, topic.format().name());
        at += putText(buffer, at, rule == null ? "" : rule.keyText());
        buffer.putLong(at, rule == null ? 0 : rule.expirationNs(), LITTLE_ENDIAN);
        return at + Long.BYTES - offset;
    }

    private static int putText(final MutableDirectBuffer buffer, final int offset, final String text) {
        final byte[] bytes = text.getBytes(UTF_8);
        buffer.putShort(offset, (short) bytes.length, LITTLE_ENDIAN);
        buffer.putBytes(offset + Short.BYTES, bytes);
        return Short.BYTES + bytes.length;
    }

    private static String text(final DirectBuffer buffer, final int offset) {
        final byte[] bytes = new byte[textLength(buffer, offset) - Short.BYTES];
        buffer.getBytes(offset + Short.BYTES, bytes);
        return new String(bytes, UTF_8);
    }

    private static int textLength(final DirectBuffer buffer, final int offset) {
        return Short.BYTES + (buffer.getShort(offset, LITTLE_ENDIAN) & 0xFFFF);
    }
}
