package io.penstock.standalone.log;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.journal.LogScan;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.format.header.Headers;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.HeaderText;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import io.penstock.standalone.console.StandardOutput;
import io.penstock.standalone.console.Terminal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Writes records of a log to standard output, one a line: columns with tabs between, or a JSON object. */
final class RecordLines implements AutoCloseable {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    /** All that a row of a record of the log may have. */
    static final List<String> LOG_COLUMNS = List.of(
            "shard",
            "sequence",
            "time",
            "type",
            "topic",
            "publisher",
            "publisherSequence",
            "format",
            "key",
            "expirationNs",
            "headers",
            "expires",
            "message",
            "text",
            "base64");

    /** All that a row of a record of the state may have. */
    static final List<String> STATE_COLUMNS =
            List.of("topic", "sequence", "time", "key", "headers", "expires", "message", "text", "base64");

    private final StandardOutput out = new StandardOutput();
    private final boolean isSeen = Terminal.isOutSeen();
    private final @Nullable Rows rows;

    /**
     * Begins.
     *
     * @param rows that take records, to be closed with this; null to print lines with tabs.
     */
    RecordLines(final @Nullable Rows rows) {
        this.rows = rows;
    }

    /**
     * Begins to print for a command.
     *
     * @param columns all that rows may have.
     */
    static RecordLines of(final CommandSpec spec, final RowOptions options, final List<String> columns) {
        options.checkLines();
        final CommandLine command = spec.commandLine();
        return new RecordLines(options.isGiven() ? options.open(command.getOut(), command.getErr(), columns) : null);
    }

    /** Writes the record that a scan is at. */
    void write(final LogScan scan) {
        if (rows == null) {
            write(columns(scan));
        } else {
            rows.add(json(scan));
        }
    }

    /** Writes a record of the state. */
    void write(
            final TopicRecord topic,
            final DirectBuffer key,
            final DirectBuffer message,
            final Headers headers,
            final long sequence,
            final long timestampNs,
            final long expiresNs) {
        final byte[] bytes = bytes(message, 0, message.capacity());
        final String keyText = isPublisherKey(topic) ? text(bytes(key, 0, key.capacity())) : null;
        if (rows == null) {
            write((keyText == null ? "" : oneLine(keyText) + "\t") + printable(bytes));
            return;
        }
        final Json json = new Json()
                .field("topic", topic.name())
                .field("sequence", sequence)
                .field("time", time(timestampNs));
        if (keyText != null) {
            json.field("key", keyText);
        }
        if (!headers.isEmpty()) {
            json.raw("headers", HeaderText.json(headers));
        }
        if (expiresNs != Long.MAX_VALUE) {
            json.field("expires", time(expiresNs));
        }
        rows.add(message(json, topic, bytes).end());
    }

    private void write(final String line) {
        out.write((isSeen ? ControlCharacters.escaped(line) : line).getBytes(UTF_8));
        out.write('\n');
    }

    /** A time, as people and programs read it. */
    static String time(final long timestampNs) {
        return Instant.ofEpochSecond(
                        Math.floorDiv(timestampNs, NANOS_PER_SECOND), Math.floorMod(timestampNs, NANOS_PER_SECOND))
                .toString();
    }

    @Override
    public void close() {
        if (rows != null) {
            rows.close();
        }
        out.flush();
    }

    private static String columns(final LogScan scan) {
        final TopicRecord topic = LogSelection.topic(scan);
        return scan.shard() + ":" + scan.sequence() + "\t" + time(scan.timestampNs()) + "\t" + kind(scan) + "\t"
                + (topic == null ? unnamed(scan) : oneLine(topic.name())) + "\t" + content(scan, topic);
    }

    private static String unnamed(final LogScan scan) {
        final int type = RecordDescriptor.type(scan.buffer(), scan.offset());
        return isOfPublisher(type) ? "-" : "#" + RecordDescriptor.topicId(scan.buffer(), scan.offset());
    }

    private static boolean isOfPublisher(final int type) {
        return type == RecordDescriptor.TYPE_PUBLISHER || type == RecordDescriptor.TYPE_PUBLISHER_RESET;
    }

    private static String content(final LogScan scan, final @Nullable TopicRecord topic) {
        final int type = RecordDescriptor.type(scan.buffer(), scan.offset());
        if (isOfPublisher(type)) {
            final String name = scan.names().publisher(RecordDescriptor.publisherId(scan.buffer(), scan.offset()));
            return oneLine(String.valueOf(name));
        }
        if (type == RecordDescriptor.TYPE_TOPIC_DELETED) {
            return "";
        }
        return type == RecordDescriptor.TYPE_TOPIC && topic != null ? describe(topic) : printable(payload(scan));
    }

    private static String json(final LogScan scan) {
        final DirectBuffer buffer = scan.buffer();
        final int offset = scan.offset();
        final TopicRecord topic = LogSelection.topic(scan);
        final Json json = new Json()
                .field("shard", scan.shard())
                .field("sequence", scan.sequence())
                .field("time", time(scan.timestampNs()))
                .field("type", kind(scan));
        if (topic != null) {
            json.field("topic", topic.name());
        }
        final int publisherId = RecordDescriptor.publisherId(buffer, offset);
        final String publisher = scan.names().publisher(publisherId);
        if (publisher != null) {
            json.field("publisher", publisher);
        }
        if (RecordDescriptor.publisherSequence(buffer, offset) != 0) {
            json.field("publisherSequence", RecordDescriptor.publisherSequence(buffer, offset));
        }
        final int type = RecordDescriptor.type(buffer, offset);
        if (type == RecordDescriptor.TYPE_TOPIC && topic != null) {
            json.field("format", topic.format());
            if (topic.state() != null) {
                json.field("key", topic.state().keyText())
                        .field("expirationNs", topic.state().expirationNs());
            }
            return json.end();
        }
        if (isOfPublisher(type) || type == RecordDescriptor.TYPE_TOPIC_DELETED) {
            return json.end();
        }
        if (RecordDescriptor.keyLength(buffer, offset) > 0) {
            json.field("key", text(key(buffer, offset)));
        }
        final int headersLength = RecordDescriptor.headersLength(buffer, offset);
        if (headersLength > 0) {
            final int headersAt = RecordDescriptor.keyOffset(buffer, offset) - headersLength;
            json.raw("headers", HeaderText.json(new Headers().wrap(buffer, headersAt, headersLength)));
        }
        if ((RecordDescriptor.flags(buffer, offset) & RecordDescriptor.FLAG_EXPIRES) != 0) {
            final long expiresNs = expiresNs(buffer, offset);
            json.field("expires", expiresNs == Long.MAX_VALUE ? "never" : time(expiresNs));
        }
        return message(json, topic, payload(scan)).end();
    }

    static byte[] key(final DirectBuffer buffer, final int offset) {
        return bytes(buffer, RecordDescriptor.keyOffset(buffer, offset), RecordDescriptor.keyLength(buffer, offset));
    }

    private static long expiresNs(final DirectBuffer buffer, final int offset) {
        return buffer.getLong(offset + RecordDescriptor.length(buffer, offset) - Long.BYTES, ByteOrder.LITTLE_ENDIAN);
    }

    private static Json message(final Json json, final @Nullable TopicRecord topic, final byte[] bytes) {
        final MessageFormat format = topic == null ? null : MessageFormats.find(topic.format());
        final String value = format == null ? null : format.toJson(new UnsafeBuffer(bytes), 0, bytes.length);
        if (value != null) {
            return json.raw("message", oneLine(value));
        }
        final String text = decode(bytes);
        return text != null
                ? json.field("text", text)
                : json.field("base64", Base64.getEncoder().encodeToString(bytes));
    }

    private static String kind(final LogScan scan) {
        final DirectBuffer buffer = scan.buffer();
        final int offset = scan.offset();
        return switch (RecordDescriptor.type(buffer, offset)) {
            case RecordDescriptor.TYPE_MESSAGE -> "message";
            case RecordDescriptor.TYPE_TOPIC -> "topic";
            case RecordDescriptor.TYPE_TOPIC_DELETED -> "topic-deleted";
            case RecordDescriptor.TYPE_PUBLISHER -> "publisher";
            case RecordDescriptor.TYPE_PUBLISHER_RESET -> "publisher-reset";
            case RecordDescriptor.TYPE_DELETE ->
                (RecordDescriptor.flags(buffer, offset) & RecordDescriptor.FLAG_EXPIRED) == 0 ? "delete" : "expire";
            default -> "type-" + RecordDescriptor.type(buffer, offset);
        };
    }

    private static String describe(final TopicRecord topic) {
        return topic.format()
                + (topic.state() == null
                        ? ""
                        : (topic.state().isView() ? ", a view, key " : ", key ")
                                + topic.state().key());
    }

    private static boolean isPublisherKey(final TopicRecord topic) {
        return topic.state() != null && topic.state().isPublisherKey();
    }

    /** Bytes on one line, as text if they are. */
    static String printable(final DirectBuffer buffer, final int offset, final int length) {
        return printable(bytes(buffer, offset, length));
    }

    private static byte[] payload(final LogScan scan) {
        final int length = RecordDescriptor.messageLength(scan.buffer(), scan.offset());
        return bytes(scan.buffer(), scan.offset() + HEADER_LENGTH, length);
    }

    private static byte[] bytes(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] bytes = new byte[Math.max(0, length)];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    /** UTF-8 text, or base64 of what is none. */
    private static String text(final byte[] bytes) {
        final String text = decode(bytes);
        return text == null ? "base64:" + Base64.getEncoder().encodeToString(bytes) : text;
    }

    private static @Nullable String decode(final byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (final CharacterCodingException e) {
            return null;
        }
    }

    private static String printable(final byte[] bytes) {
        return oneLine(text(bytes));
    }

    private static String oneLine(final String text) {
        return text.replaceAll("[\\n\\r\\t]", " ");
    }
}
