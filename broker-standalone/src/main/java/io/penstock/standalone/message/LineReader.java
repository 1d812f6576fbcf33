package io.penstock.standalone.message;

import io.penstock.file.FileErrors;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads bytes line by line, with no limit on how many and a limit on how long. Empty lines are passed over. */
final class LineReader implements PayloadSource {
    private static final int INITIAL_LENGTH = 64 * 1024;

    private final InputStream in;
    private final String name;
    private final int lineLengthMax;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private byte[] bytes = new byte[INITIAL_LENGTH];
    private int position;
    private int limit;
    private boolean isAtEnd;
    private int lineOffset;
    private int lineLength;
    private long lineNumber;
    private long bytesRead;

    LineReader(final InputStream in, final String name, final int lineLengthMax) {
        this.in = in;
        this.name = name;
        this.lineLengthMax = lineLengthMax;
        buffer.wrap(bytes);
    }

    /**
     * Moves to the next line that is not empty.
     *
     * @return false at the end.
     * @throws CommandFailure when a line is too long.
     */
    @Override
    public boolean next() {
        do {
            if (!nextLine()) {
                return false;
            }
        } while (lineLength == 0);
        return true;
    }

    /** Holds the line at {@link #offset()}, until the next one is read. */
    @Override
    public UnsafeBuffer buffer() {
        return buffer;
    }

    @Override
    public int offset() {
        return lineOffset;
    }

    @Override
    public int length() {
        return lineLength;
    }

    /** From 1, empty lines counted. */
    @Override
    public long lineNumber() {
        return lineNumber;
    }

    long bytesRead() {
        return bytesRead;
    }

    @Override
    public long taken() {
        return bytesRead;
    }

    private boolean nextLine() {
        int scanned = position;
        while (true) {
            while (scanned < limit) {
                if (bytes[scanned] == '\n') {
                    take(scanned, scanned + 1);
                    return true;
                }
                scanned++;
            }
            if (isAtEnd) {
                take(limit, limit);
                return lineLength > 0;
            }
            scanned -= makeRoom();
            fill();
        }
    }

    private void take(final int end, final int next) {
        final boolean endsWithReturn = end > position && bytes[end - 1] == '\r';
        lineOffset = position;
        lineLength = end - position - (endsWithReturn ? 1 : 0);
        lineNumber++;
        position = next;
        checkLength(lineLength, lineNumber);
    }

    private void checkLength(final int length, final long number) {
        if (length > lineLengthMax) {
            throw CommandFailure.badInput(name + ":" + number + ": longer than " + lineLengthMax
                    + " bytes, the longest message that is accepted (split it)");
        }
    }

    /** Moves what is left to the start, or makes the buffer larger; returns by how much the bytes moved. */
    private int makeRoom() {
        final int moved = position;
        checkLength(limit - position, lineNumber + 1);
        if (position > 0) {
            System.arraycopy(bytes, position, bytes, 0, limit - position);
            limit -= position;
            position = 0;
        }
        if (limit == bytes.length) {
            bytes = java.util.Arrays.copyOf(bytes, bytes.length * 2);
            buffer.wrap(bytes);
        }
        return moved;
    }

    private void fill() {
        final int count = read();
        if (count < 0) {
            isAtEnd = true;
        } else {
            limit += count;
            bytesRead += count;
        }
    }

    private int read() {
        try {
            return in.read(bytes, limit, bytes.length - limit);
        } catch (final IOException e) {
            throw CommandFailure.failed(
                    name + ": cannot be read: " + FileErrors.reasonOf(e) + " (give a file whose disk is good)");
        }
    }
}
