package io.penstock.bridge.rmi;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes for a client, written to the system in pieces of 64 KiB: the runtime hands over at most 8 KiB at a time. Owned by
 * the connection's thread.
 *
 * <p>The first thing that the runtime sends is what it takes for the client's address, {@code 0.0.0.0}, for clients that do
 * not know their own. That is replaced by the address.
 *
 * <pre>
 *   0x4E | length of the address (2) | address | port (4)
 * </pre>
 */
final class CoalescingOutput extends OutputStream {
    static final int LENGTH_MAX = 64 * 1024;

    private static final int LENGTH_MIN = 8 * 1024;
    private static final byte[] UNKNOWN = {0x4E, 0, 7, '0', '.', '0', '.', '0', '.', '0'};
    private static final int PORT_LENGTH = 4;

    private final OutputStream out;
    private final byte[] address;
    private byte[] buffer = new byte[LENGTH_MIN];
    private int length;
    private boolean isBegun;

    CoalescingOutput(final OutputStream out, final String address) {
        this.out = out;
        this.address = address.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void write(final int value) throws IOException {
        claim(1);
        buffer[length++] = (byte) value;
    }

    @Override
    public void write(final byte[] bytes, final int offset, final int count) throws IOException {
        if (count >= LENGTH_MAX) {
            drain();
            out.write(bytes, offset, count);
            return;
        }
        claim(count);
        System.arraycopy(bytes, offset, buffer, length, count);
        length += count;
    }

    private void claim(final int count) throws IOException {
        if (length + count > LENGTH_MAX) {
            drain();
        }
        if (length + count > buffer.length) {
            buffer = Arrays.copyOf(buffer, LENGTH_MAX);
        }
    }

    @Override
    public void flush() throws IOException {
        drain();
        out.flush();
    }

    private void drain() throws IOException {
        if (!isBegun && length > 0) {
            isBegun = true;
            if (length == UNKNOWN.length + PORT_LENGTH && Arrays.mismatch(buffer, UNKNOWN) == UNKNOWN.length) {
                writeAddress();
                return;
            }
        }
        if (length > 0) {
            out.write(buffer, 0, length);
            length = 0;
        }
    }

    private void writeAddress() throws IOException {
        final byte[] reply = new byte[3 + address.length + PORT_LENGTH];
        reply[0] = UNKNOWN[0];
        reply[1] = (byte) (address.length >> 8);
        reply[2] = (byte) address.length;
        System.arraycopy(address, 0, reply, 3, address.length);
        System.arraycopy(buffer, UNKNOWN.length, reply, 3 + address.length, PORT_LENGTH);
        out.write(reply);
        length = 0;
    }
}
