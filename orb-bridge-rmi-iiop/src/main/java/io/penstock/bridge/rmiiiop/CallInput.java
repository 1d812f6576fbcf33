package io.penstock.bridge.rmiiiop;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Reads what a client sends, 64 KiB at once, and gives the ORB whole calls only, when there is room for them: fragments are
 * kept until the last has come, so that no thread of the ORB waits for one; each counts 76 bytes more than its body. Ends the
 * connection when a message, or all that is not complete, is longer than a call may be, when more than 16 calls are not
 * complete, and when fragments are of no call that has begun, or two calls of one id are in fragments at once (of 1.1: any
 * two). Owned by the thread that reads the connection.
 *
 * <pre>
 *  0        4        6       7      8        12
 *  +--------+--------+-------+------+--------+---------
 *  | "GIOP" | version| flags | type | length | body: from 1.2 on the id of the call …
 *  +--------+--------+-------+------+--------+---------
 * </pre>
 */
final class CallInput extends InputStream {
    private static final int READ_LENGTH = 64 * 1024;
    private static final byte[] MAGIC = {'G', 'I', 'O', 'P'};
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

    /** Memory of a fragment beside its bytes. */
    private static final int FRAGMENT_OVERHEAD = 64;

    /** Longest message that is no call; those of GIOP that a client sends have a few bytes. */
    private static final int OTHER_LENGTH_MAX = 1024;

    private final InputStream in;
    private final long lengthMax;
    private final CallRoom room;
    private final ConnectionShare share;
    private final Progress progress;
    private final byte[] buffer = new byte[READ_LENGTH];
    private int bufferOffset;
    private int bufferEnd;
    private byte[] header = new byte[HEADER_LENGTH];
    private final Queue<byte[]> pieces = new ArrayDeque<>();
    private int pieceOffset;
    private long bodyLeft;
    private final Map<Long, Incomplete> incomplete = new HashMap<>();
    private long incompleteLength;

    /**
     * Begins between messages.
     *
     * @param in        from the client.
     * @param lengthMax of a call in bytes.
     * @param room      for calls.
     * @param share     the connection's.
     * @param progress  notified of what comes.
     */
    CallInput(
            final InputStream in,
            final long lengthMax,
            final CallRoom room,
            final ConnectionShare share,
            final Progress progress) {
        this.in = in;
        this.lengthMax = lengthMax;
        this.room = room;
        this.share = share;
        this.progress = progress;
    }

    @Override
    public int read() throws IOException {
        final byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(final byte[] bytes, final int offset, final int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (pieces.isEmpty() && bodyLeft == 0) {
            if (!nextMessage()) {
                return -1;
            }
        }
        return pieces.isEmpty() ? readBody(bytes, offset, length) : readPiece(bytes, offset, length);
    }

    private int readPiece(final byte[] bytes, final int offset, final int length) {
        final byte[] piece = pieces.element();
        final int count = Math.min(length, piece.length - pieceOffset);
        System.arraycopy(piece, pieceOffset, bytes, offset, count);
        pieceOffset += count;
        if (pieceOffset == piece.length) {
            pieces.remove();
            pieceOffset = 0;
        }
        return count;
    }

    private int readBody(final byte[] bytes, final int offset, final int length) throws IOException {
        final int count = readSome(bytes, offset, (int) Math.min(length, bodyLeft));
        if (count > 0) {
            bodyLeft -= count;
            progress.noteEnd(bodyLeft > 0 || !incomplete.isEmpty());
        }
        return count;
    }

    /** From the buffer, or past it when that would be filled at once. */
    private int readSome(final byte[] bytes, final int offset, final int length) throws IOException {
        if (bufferOffset == bufferEnd) {
            if (length >= buffer.length) {
                final int count = in.read(bytes, offset, length);
                progress.note(count);
                return count;
            }
            bufferOffset = 0;
            bufferEnd = Math.max(0, in.read(buffer, 0, buffer.length));
            progress.note(bufferEnd);
            if (bufferEnd == 0) {
                return -1;
            }
        }
        final int count = Math.min(length, bufferEnd - bufferOffset);
        System.arraycopy(buffer, bufferOffset, bytes, offset, count);
        bufferOffset += count;
        return count;
    }

    /** Returns how much there was before the end. */
    private int readFully(final byte[] bytes, final int offset) throws IOException {
        int end = offset;
        while (end < bytes.length) {
            final int count = readSome(bytes, end, bytes.length - end);
            if (count < 0) {
                break;
            }
            end += count;
            progress.noteEnd(true);
        }
        return end - offset;
    }

    /** Goes on to what the ORB is given next, or keeps what is not; returns false at the end. */
    private boolean nextMessage() throws IOException {
        header = new byte[HEADER_LENGTH];
        if (readFully(header, 0) < HEADER_LENGTH) {
            return false;
        }
        final int type = header[TYPE_OFFSET];
        final long length = number(header, LENGTH_OFFSET);
        if (Arrays.mismatch(header, MAGIC) < MAGIC.length) {
            // The ORB says what it thinks of that.
            pieces.add(header);
            return true;
        }
        if (incompleteLength + length > lengthMax) {
            throw new IOException("call: too long: " + (incompleteLength + length) + " bytes (use at most " + lengthMax
                    + ", or configure a longer callLengthMax)");
        }
        final boolean isCall = type == REQUEST || type == LOCATE_REQUEST;
        if (type == FRAGMENT || (isCall && hasMore())) {
            keep(type == FRAGMENT, (int) length);
            progress.noteEnd(!incomplete.isEmpty());
            return true;
        }
        if (isCall) {
            enter(HEADER_LENGTH + length, false);
        } else if (length > OTHER_LENGTH_MAX) {
            throw new IOException("message: too long: " + length + " bytes (send calls)");
        }
        if (type == CANCEL) {
            return cancel((int) length);
        }
        pieces.add(header);
        bodyLeft = length;
        progress.noteEnd(bodyLeft > 0 || !incomplete.isEmpty());
        return true;
    }

    private void enter(final long length, final boolean isFromParts) throws IOException {
        // A client that waits for room here is not slow.
        progress.noteWait(true);
        try {
            room.enter(share, length, isFromParts);
        } finally {
            progress.noteWait(false);
        }
    }

    private boolean hasMore() {
        return header[MINOR_OFFSET] > 0 && (header[FLAGS_OFFSET] & HAS_MORE) != 0;
    }

    private long number(final byte[] message, final int offset) {
        final boolean isLittleEndian = (message[FLAGS_OFFSET] & LITTLE_ENDIAN) != 0;
        long number = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            final int at = offset + (isLittleEndian ? Integer.BYTES - 1 - i : i);
            number = (number << Byte.SIZE) | (message[at] & 0xff);
        }
        return number;
    }

    private byte[] whole(final int length) throws IOException {
        final byte[] message = Arrays.copyOf(header, HEADER_LENGTH + length);
        if (readFully(message, HEADER_LENGTH) < length) {
            throw new EOFException("message: not complete (the client has gone)");
        }
        return message;
    }

    /** A part of a call; given to the ORB with the others when it is the last. */
    private void keep(final boolean isFragment, final int length) throws IOException {
        final boolean hasId = header[MINOR_OFFSET] >= MINOR_WITH_IDS;
        if (hasId && length < Integer.BYTES) {
            throw new IOException("call: without an id (send messages of GIOP)");
        }
        final long heldLength = (long) HEADER_LENGTH + length + FRAGMENT_OVERHEAD;
        progress.noteWait(true);
        try {
            room.addPart(share, heldLength);
        } finally {
            progress.noteWait(false);
        }
        final byte[] message = whole(length);
        final long id = hasId ? number(message, HEADER_LENGTH) : ID_NONE;
        if (isFragment != incomplete.containsKey(id)) {
            throw new IOException("call: its fragments are not in order (send each to its end, and each id once)");
        }
        if (!isFragment && incomplete.size() == INCOMPLETE_COUNT_MAX) {
            throw new IOException("call: too many are not complete: " + INCOMPLETE_COUNT_MAX
                    + " (send the fragments of one before those of others)");
        }
        final Incomplete call = incomplete.computeIfAbsent(id, key -> new Incomplete());
        call.messages.add(message);
        call.heldLength += heldLength;
        incompleteLength += heldLength;
        if (!hasMore()) {
            forget(id);
            enter(call.heldLength, true);
            pieces.addAll(call.messages);
        }
    }

    private Incomplete forget(final long id) {
        final Incomplete call = incomplete.remove(id);
        if (call == null) {
            throw new IllegalStateException("no such call: " + id);
        }
        incompleteLength -= call.heldLength;
        return call;
    }

    /** A call that is not complete is forgotten; of others the ORB is notified. */
    private boolean cancel(final int length) throws IOException {
        if (length < Integer.BYTES) {
            throw new IOException("call: without an id (send messages of GIOP)");
        }
        final byte[] message = whole(length);
        final long id = number(message, HEADER_LENGTH);
        if (incomplete.containsKey(id)) {
            room.removePart(share, forget(id).heldLength);
        } else {
            pieces.add(message);
        }
        progress.noteEnd(!incomplete.isEmpty());
        return true;
    }

    /** Notified of how much comes, and of whether something is incomplete. */
    interface Progress {
        /** Counts bytes that have come; none or fewer at the end. */
        void note(int length);

        /** Whether the client has to send more of what it has begun. */
        void noteEnd(boolean isInPart);

        /** Whether it waits for room from here on, for which the client can do nothing. */
        void noteWait(boolean isWaiting);
    }

    /** Parts of a call. */
    private static final class Incomplete {
        private final List<byte[]> messages = new ArrayList<>();
        private long heldLength;
    }
}
