package io.penstock.bridge.rmiiiop;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads what a client sends, and ends the connection when messages are longer than a call may be: one by itself, or the
 * fragments of all that are not complete, of which there are at most 16. A fragment of no call that has begun ends it too, and so
 * does a second call of the same id, or in 1.1 any second one, before the first is complete. Owned by the thread that reads the connection.
 *
 * <pre>
 *  0        4        6       7      8        12
 *  +--------+--------+-------+------+--------+---------
 *  | "GIOP" | version| flags | type | length | body: from 1.2 on the id of the call …
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
    private static final int MINOR_OFFSET = 5;
    private static final int MINOR_WITH_IDS = 2;
    private static final int REQUEST = 0;
    private static final int CANCEL = 2;
    private static final int LOCATE_REQUEST = 3;
    private static final int FRAGMENT = 7;
    private static final int INCOMPLETE_COUNT_MAX = 16;
    private static final long ID_NONE = Long.MIN_VALUE;

    private final long lengthMax;
    private final byte[] header = new byte[HEADER_LENGTH + Integer.BYTES];
    private int headerLength;
    private long bodyLeft;
    private long incompleteLength;
    private final Map<Long, Long> incomplete = new HashMap<>();

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
            bodyLeft = number(LENGTH_OFFSET);
            refuseWhenTooLong(bodyLeft);
            if (namesACall()) {
                if (bodyLeft < Integer.BYTES) {
                    throw new IOException("call: without an id (send messages of GIOP)");
                }
                // The id comes with the next bytes.
                bodyLeft = 0;
            } else {
                headerLength = 0;
                onMessageWithoutId();
            }
        } else if (headerLength == header.length) {
            headerLength = 0;
            bodyLeft = number(LENGTH_OFFSET) - Integer.BYTES;
            onMessage(number(HEADER_LENGTH));
        }
    }

    private long number(final int offset) {
        final boolean isLittleEndian = (header[FLAGS_OFFSET] & LITTLE_ENDIAN) != 0;
        long number = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            final int at = offset + (isLittleEndian ? Integer.BYTES - 1 - i : i);
            number = (number << Byte.SIZE) | (header[at] & 0xff);
        }
        return number;
    }

    /** But for one that is given up, only from 1.2 on the id is at a known place. */
    private boolean namesACall() {
        final byte type = header[TYPE_OFFSET];
        return type == CANCEL
                || (header[MINOR_OFFSET] >= MINOR_WITH_IDS
                        && (type == REQUEST || type == LOCATE_REQUEST || type == FRAGMENT));
    }

    /** In 1.1 one call at a time has fragments, in 1.0 none. */
    private void onMessageWithoutId() throws IOException {
        final byte type = header[TYPE_OFFSET];
        if (header[MINOR_OFFSET] < MINOR_WITH_IDS
                && header[MINOR_OFFSET] > 0
                && (type == REQUEST || type == FRAGMENT)) {
            onMessage(ID_NONE);
        }
    }

    private void onMessage(final long id) throws IOException {
        final byte type = header[TYPE_OFFSET];
        final Long before = incomplete.remove(id);
        if (type == CANCEL) {
            incompleteLength -= before == null ? 0 : before;
            return;
        }
        if ((type == FRAGMENT) != (before != null)) {
            throw new IOException("call: its fragments are not in order (send each to its end, and each id once)");
        }
        final long length = number(LENGTH_OFFSET) + (before == null ? 0 : before);
        incompleteLength -= before == null ? 0 : before;
        if ((header[FLAGS_OFFSET] & HAS_MORE) != 0) {
            if (incomplete.size() == INCOMPLETE_COUNT_MAX) {
                throw new IOException("call: too many are not complete: " + INCOMPLETE_COUNT_MAX
                        + " (send the fragments of one before those of others)");
            }
            incomplete.put(id, length);
            incompleteLength += length;
        }
    }

    private void refuseWhenTooLong(final long length) throws IOException {
        if (incompleteLength + length > lengthMax) {
            throw new IOException("call: too long: " + (incompleteLength + length) + " bytes (use at most " + lengthMax
                    + ", or configure a longer callLengthMax)");
        }
    }
}
