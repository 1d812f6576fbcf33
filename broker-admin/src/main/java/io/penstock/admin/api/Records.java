package io.penstock.admin.api;

import io.penstock.admin.http.Json;
import io.penstock.client.Message;
import io.penstock.client.MessageView;
import io.penstock.client.RecordKind;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Writes messages and records as JSON. */
final class Records {
    static final int PAYLOAD_LENGTH_MAX = 64 * 1024;

    private Records() {}

    /** Adds the fields of a message to an object. */
    static void write(final Json json, final MessageView message) {
        final byte[] bytes = new byte[Math.min(message.length(), PAYLOAD_LENGTH_MAX)];
        message.buffer().getBytes(message.offset(), bytes);
        write(
                json,
                message.topic(),
                message.kind(),
                message.sequence() > 0 ? message.bookmark().toString() : "",
                message.timestampNs(),
                message.key());
        writePayload(json, bytes, message.length());
    }

    /** Adds the fields of a message to an object. */
    static void write(final Json json, final Message message) {
        write(
                json,
                message.topic(),
                message.kind(),
                message.sequence() > 0 ? message.bookmark().toString() : "",
                message.timestampNs(),
                message.key());
        final byte[] whole = message.bytes();
        writePayload(
                json,
                whole.length > PAYLOAD_LENGTH_MAX ? Arrays.copyOf(whole, PAYLOAD_LENGTH_MAX) : whole,
                whole.length);
    }

    private static void write(
            final Json json,
            final String topic,
            final RecordKind kind,
            final String bookmark,
            final long timestampNs,
            final @Nullable String key) {
        json.field("topic", topic).field("kind", kind.name().toLowerCase(Locale.ROOT));
        if (!bookmark.isEmpty()) {
            json.field("bookmark", bookmark);
        }
        if (timestampNs > 0) {
            json.field("timeMs", TimeUnit.NANOSECONDS.toMillis(timestampNs));
        }
        if (key != null && !key.isEmpty()) {
            json.field("key", key);
        }
    }

    private static void writePayload(final Json json, final byte[] bytes, final int wholeLength) {
        final boolean isCut = wholeLength > bytes.length;
        final int length = isCut ? wholeCharacters(bytes) : bytes.length;
        json.field("bytes", wholeLength);
        try {
            final String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
            json.field("payload", text).field("encoding", "text");
        } catch (final CharacterCodingException e) {
            json.field("payload", Base64.getEncoder().encodeToString(bytes)).field("encoding", "base64");
        }
        json.field("truncated", isCut);
    }

    /** The length without a character of UTF-8 that is cut in two. */
    static int wholeCharacters(final byte[] bytes) {
        int end = bytes.length;
        for (int i = 0; i < 3 && end > 0 && (bytes[end - 1] & 0xC0) == 0x80; i++) {
            end--;
        }
        if (end == 0 || (bytes[end - 1] & 0x80) == 0) {
            return bytes.length;
        }
        final int lead = bytes[end - 1] & 0xff;
        final int wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
        return bytes.length - end + 1 == wanted ? bytes.length : end - 1;
    }
}
