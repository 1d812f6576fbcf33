package io.penstock.bridge.rmiiiop;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Reads what a client sends, and ends the connection when messages are longer than a call may be: one by itself, or the
 * fragments of all that are not complete. Owned by the thread that reads the connection.
 *
 * <pre>
 *  0        4        6       7      8        12
 *  +--------+--------+-------+------+--------+---------
 *  | "GIOP" | version| flags | type | length | body …
 *  +--------+--------+-------+------+--------+---------
 * </pre>
 */
final class CallLengthInput extends FilterInputStream {
    private static final int HEADER_LENGTH = 12;
    private static final int FLAGS_OFFSET = 6;
    private static final int TYPE_OFFSET = 7;
    private static final int LENGTH_OFFSET = 8;
    private static final int LITTLE_ENDIAN = 1;
    private static final int HAS_MORE = 2;
    private static final int FRAGMENT = 7;

    private final long lengthMax;
    private final byte[] header = new byte[HEADER_LENGTH];
    private int headerLength;
    private long bodyLeft;
    private long incompleteLength;
    private int incompleteCount;

    /**
     * Begins between messages.
     *
     * @param in        from the client.
     * @param lengthMax of a call in bytes.
     */
    CallLengthInput(final InputStream in, final long lengthMax) {
        super(in);
        this.lengthMax = lengthMax;
    }

    @Override
    public int read() throws IOException {
        final int value = super.read();
        if (value >= 0) {
            if (bodyLeft > 0) {
                bodyLeft--;
            } else {
                take((byte) value);
            }
        }
        return value;
    }

    @Override
    public int read(final byte[] bytes, final int offset, final int length) throws IOException {
        final int count = super.read(bytes, offset, length);
        for (int i = 0; i < count; ) {
            if (bodyLeft > 0) {
                final int skipped = (int) Math.min(bodyLeft, count - i);
                bodyLeft -= skipped;
                i += skipped;
            } else {
                take(bytes[offset + i]);
                i++;
            }
        }
        return count;
    }

    @Override
    public long skip(final long count) throws IOException {
        return read(new byte[(int) Math.min(count, HEADER_LENGTH)]);
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void take(final byte value) throws IOException {
        header[headerLength] = value;
        headerLength++;
        if (headerLength == HEADER_LENGTH) {
            headerLength = 0;
            begin();
        }
    }

    private void begin() throws IOException {
        final boolean isLittleEndian = (header[FLAGS_OFFSET] & LITTLE_ENDIAN) != 0;
        long length = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            final int at = LENGTH_OFFSET + (isLittleEndian ? Integer.BYTES - 1 - i : i);
            length = (length << Byte.SIZE) | (header[at] & 0xff);
        }
        final boolean isFragment = header[TYPE_OFFSET] == FRAGMENT;
        final boolean hasMore = (header[FLAGS_OFFSET] & HAS_MORE) != 0;
        incompleteCount += isFragment ? 0 : 1;
        incompleteLength += length;
        if (incompleteLength > lengthMax) {
            throw new IOException("call: too long: " + incompleteLength + " bytes (use at most " + lengthMax
                    + ", or configure a longer callLengthMax)");
        }
        incompleteCount -= hasMore || incompleteCount == 0 ? 0 : 1;
        incompleteLength = incompleteCount == 0 ? 0 : incompleteLength;
        bodyLeft = length;
    }
}
