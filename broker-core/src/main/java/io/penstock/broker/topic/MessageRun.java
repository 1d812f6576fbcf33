package io.penstock.broker.topic;

/**
 * Messages to one topic in a row that are not in its count yet. Confined to the sequencer, which writes it for each message:
 * it lies in cache lines of its own, so that who reads the table does not wait for them.
 */
final class MessageRun {
    /** Padding in words: two cache lines, as processors fetch them in pairs. */
    private static final int PADDING = 16;

    private static final int TOPIC = PADDING;
    private static final int COUNT = TOPIC + 1;
    private static final int WORD_COUNT = COUNT + 1 + PADDING;
    private static final int NO_TOPIC = -1;

    private final long[] words = new long[WORD_COUNT];

    MessageRun() {
        words[TOPIC] = NO_TOPIC;
    }

    /** Whether the last message was to a topic, which is in the table. */
    boolean isOf(final int topicId) {
        return words[TOPIC] == topicId;
    }

    /** The topic of the last message; negative for none. */
    int topicId() {
        return (int) words[TOPIC];
    }

    long count() {
        return words[COUNT];
    }

    void increment() {
        words[COUNT]++;
    }

    /** The counted messages are in the topic's count now. */
    void clear() {
        words[COUNT] = 0;
    }

    /** Another topic's messages come. */
    void begin(final int topicId) {
        words[TOPIC] = topicId;
        words[COUNT] = 0;
    }

    /** The topic was deleted. */
    void end() {
        begin(NO_TOPIC);
    }
}
