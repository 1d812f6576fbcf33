package io.penstock.standalone.message;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.client.PublishOptions;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The lines of a file, each a message, all of one topic. */
final class LineReplaySource implements ReplaySource {
    private static final JsonFactory JSON = new JsonFactory();

    private final InputStream in;
    private final long total;
    private final LineReader lines;
    private final String name;
    private final String topic;
    private final @Nullable String timeField;
    private long timestampNs;

    /**
     * Starts before the first line.
     *
     * @param in            closed with this.
     * @param total         bytes of it; 0 when nobody knows.
     * @param name          of the input, for people.
     * @param topic         of all messages.
     * @param timeField     that says when a message was published, or null.
     * @param lengthMax     of a line, in bytes.
     */
    LineReplaySource(
            final InputStream in,
            final long total,
            final String name,
            final String topic,
            final @Nullable String timeField,
            final int lengthMax) {
        this.in = in;
        this.total = total;
        this.name = name;
        this.topic = topic;
        this.timeField = timeField;
        lines = new LineReader(in, name, lengthMax);
    }

    @Override
    public boolean next() throws IOException {
        if (!lines.next()) {
            return false;
        }
        if (timeField != null) {
            timestampNs = readTime(timeField);
        }
        return true;
    }

    private long readTime(final String field) throws IOException {
        final byte[] line = new byte[lines.length()];
        lines.buffer().getBytes(lines.offset(), line);
        String text = null;
        try (JsonParser parser = JSON.createParser(line)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (text == null && parser.nextToken() == JsonToken.FIELD_NAME) {
                    final boolean isMeant = parser.currentName().equals(field);
                    parser.nextToken();
                    if (isMeant) {
                        text = parser.getText();
                    } else {
                        parser.skipChildren();
                    }
                }
            }
            if (text == null) {
                throw wrongTime(field, "is missing");
            }
            if (text.matches("[0-9]{1,15}")) {
                return TimeUnit.MILLISECONDS.toNanos(Long.parseLong(text));
            }
            final Instant time = Instant.parse(text);
            return Math.addExact(TimeUnit.SECONDS.toNanos(time.getEpochSecond()), (long) time.getNano());
        } catch (final JsonProcessingException e) {
            throw wrongTime(field, "cannot be found, the line is not JSON");
        } catch (final DateTimeException | ArithmeticException e) {
            throw wrongTime(field, "is no time: " + text);
        }
    }

    private CommandFailure wrongTime(final String field, final String wrong) {
        return CommandFailure.badInput(place() + ": " + field + " " + wrong
                + " (use milliseconds since 1970 or 2026-05-01T09:30:00Z, or leave --rate out)");
    }

    @Override
    public DirectBuffer buffer() {
        return lines.buffer();
    }

    @Override
    public int offset() {
        return lines.offset();
    }

    @Override
    public int length() {
        return lines.length();
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public @Nullable TopicRecord declaration() {
        return null;
    }

    @Override
    public PublishOptions options() {
        return PublishOptions.NONE;
    }

    @Override
    public boolean isDelete() {
        return false;
    }

    @Override
    public long timestampNs() {
        return timestampNs;
    }

    @Override
    public String place() {
        return name + ":" + lines.lineNumber();
    }

    @Override
    public long total() {
        return total;
    }

    @Override
    public long taken() {
        return lines.taken();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
