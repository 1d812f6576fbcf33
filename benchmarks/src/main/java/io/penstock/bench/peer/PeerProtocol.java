package io.penstock.bench.peer;

import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;

/** A protocol with payloads of a stated length. One for each connection. */
interface PeerProtocol {
    /** The most that a publish takes beside its payload, in bytes. */
    int ROOM_BESIDE_PAYLOAD = 4 * 1024;

    /** Sent first. */
    String greeting();

    /** Puts one publish into a buffer that has room for the payload and {@link #ROOM_BESIDE_PAYLOAD} bytes more. */
    void put(DirectBuffer payload, int offset, int length, ByteBuffer out);

    /** Sent to subscribe. */
    String subscription();

    /** Whether the broker has subscribed this connection. */
    boolean isSubscribed();

    /** The answer to requests of the broker since the last call; empty for none. */
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

    /** Puts a publish as text lines have it: what comes before the length, the length, and the payload on a line. */
    static void putLines(
            final byte[] head, final DirectBuffer payload, final int offset, final int length, final ByteBuffer out) {
        out.put(head);
        int scale = 1;
        while (length / scale >= 10) {
            scale *= 10;
        }
        for (; scale > 0; scale /= 10) {
            out.put((byte) ('0' + length / scale % 10));
        }
        out.put((byte) '\r').put((byte) '\n');
        payload.getBytes(offset, out, length);
        out.put((byte) '\r').put((byte) '\n');
    }

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
