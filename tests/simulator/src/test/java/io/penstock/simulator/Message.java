package io.penstock.simulator;

import java.util.Map;

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
        return Json.parse(text);
    }

    boolean isJournaled() {
        return !topic.equals(Topics.MEMORY);
    }

    @Override
    public String toString() {
        return sequence + " to " + topic + ": " + text;
    }
}
