package io.penstock.simulator;

import io.penstock.format.header.Headers;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** What a publisher has published, or is about to. */
final class Message {
    final String topic;
    final String key;
    final String text;
    final boolean isDelta;
    final long expirationMs;
    final long sequence;

    /** Of the command it was sent with last on the present connection; 0 when it was not sent on it. */
    long commandId;

    boolean isAcknowledged;

    /** The replay of the logs that has found it last. */
    long appliedIn;

    /** Whether it is in the log for ever. */
    boolean isKept;

    private @Nullable Map<String, String> members;

    Message(
            final String topic,
            final String key,
            final String text,
            final boolean isDelta,
            final long expirationMs,
            final long sequence) {
        this.topic = topic;
        this.key = key;
        this.text = text;
        this.isDelta = isDelta;
        this.expirationMs = expirationMs;
        this.sequence = sequence;
    }

    Map<String, String> members() {
        Map<String, String> parsed = members;
        if (parsed == null) {
            parsed = Json.parse(text);
            members = parsed;
        }
        return parsed;
    }

    /** What travels with it; every third message has some. */
    Headers headers() {
        return headersOf(sequence);
    }

    /** What travels with a publisher's message, which says what number it has. */
    static Headers headersOf(final long sequence) {
        return sequence % 3 == 0
                ? Headers.builder()
                        .put("number", sequence)
                        .put("half", "" + sequence / 2)
                        .build()
                : Headers.NONE;
    }

    /**
     * Checks the headers of a message that some place has: they have to be those of the number that the message says it has.
     * Rows of views have none; of a delta that does not say its number nothing is known.
     */
    static void checkHeaders(
            final String place,
            final String topic,
            final String text,
            final byte[] bytes,
            final int offset,
            final int length) {
        final String number = Json.parse(text).get("q");
        if (number != null || Topics.isView(topic)) {
            final Headers expected = number == null ? Headers.NONE : headersOf(Long.parseLong(number));
            final Headers headers = new Headers().wrap(new UnsafeBuffer(bytes), offset, length);
            if (!headers.toMap().equals(expected.toMap())) {
                throw new Violation(place + ": " + text + " has the headers " + headers + ", not " + expected);
            }
        }
    }

    boolean isJournaled() {
        return !topic.equals(Topics.MEMORY);
    }

    @Override
    public String toString() {
        return sequence + " to " + topic + ": " + text;
    }
}
