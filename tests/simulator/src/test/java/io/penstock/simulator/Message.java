package io.penstock.simulator;

import java.util.Map;
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

    boolean isJournaled() {
        return !topic.equals(Topics.MEMORY);
    }

    @Override
    public String toString() {
        return sequence + " to " + topic + ": " + text;
    }
}
