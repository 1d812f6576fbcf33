package io.penstock.bench;

import org.agrona.DirectBuffer;

/** A protocol of text lines and payloads of a stated length. One for each connection. */
interface PeerProtocol {
    /** Sent first. */
    String greeting();

    /** What comes before the length, the end of the line and the payload of each publish. */
    byte[] publishHead();

    /** Sent to subscribe. */
    String subscription();

    /** Whether the broker has subscribed this connection. */
    boolean isSubscribed();

    /** What the broker asked for since this was called last; empty for nothing. */
    String reply();

    /**
     * Takes one item that was received: a message, an answer.
     *
     * @param buffer holding it.
     * @param offset of its first byte.
     * @param end    of what was received.
     * @return where the next item begins, or -1 when this one is not whole.
     */
    int parse(DirectBuffer buffer, int offset, int end);

    /** Where the line after this one begins, or -1 when this one is not whole. */
    static int afterLine(final DirectBuffer buffer, final int offset, final int end) {
        for (int i = offset; i < end; i++) {
            if (buffer.getByte(i) == '\n') {
                return i + 1;
            }
        }
        return -1;
    }
}
