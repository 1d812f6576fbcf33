package io.penstock.faults;

/** The messages of the load: each follows from its publisher and its sequence, so that any change of it is seen. */
final class LoadMessage {
    static final String STATE_TOPIC = "state";
    static final String PLAIN_TOPIC = "plain";

    private static final String PUBLISHER_PREFIX = "pub-";
    private static final int KEY_COUNT = 64;
    private static final int PADDING_MAX = 600;

    private LoadMessage() {}

    static String publisherName(final int publisher) {
        return PUBLISHER_PREFIX + publisher;
    }

    /** The publisher with a name, or -1. */
    static int publisher(final String name) {
        return name.matches(PUBLISHER_PREFIX + "[0-9]{1,3}")
                ? Integer.parseInt(name.substring(PUBLISHER_PREFIX.length()))
                : -1;
    }

    static String topic(final long sequence) {
        return sequence % 2 == 0 ? STATE_TOPIC : PLAIN_TOPIC;
    }

    /** Of the record that a message changes. */
    static String key(final int publisher, final long sequence) {
        return publisher + "-" + sequence / 2 % KEY_COUNT;
    }

    static String text(final int publisher, final long sequence) {
        return "{\"id\":\"" + key(publisher, sequence) + "\",\"s\":" + sequence + ",\"x\":\""
                + "x".repeat((int) (sequence * 37 % PADDING_MAX)) + "\"}";
    }

    /** The publisher's sequence in a message. */
    static long sequence(final String text) {
        final int start = text.indexOf("\"s\":") + 4;
        return Long.parseLong(text.substring(start, text.indexOf(',', start)));
    }
}
