package io.penstock.broker.security.audit;

import io.penstock.broker.storage.StoredFile;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads a file of entries line by line. Confined to one thread. */
final class AuditLines implements Closeable {
    private static final int PIECE_LENGTH = 64 * 1024;

    private final StoredFile file;
    private final ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_LENGTH).limit(0);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    private long position;
    private long offset;
    private boolean isEnded;

    AuditLines(final StoredFile file) {
        this.file = file;
    }

    /** The bytes of the next line without its break, or null at the end. What is too long for a line comes in parts. */
    byte @Nullable [] next() throws IOException {
        offset = position;
        isEnded = false;
        line.reset();
        while (line.size() <= AuditLine.LENGTH_MAX) {
            if (!piece.hasRemaining()) {
                file.read(piece.clear(), position);
                if (!piece.flip().hasRemaining()) {
                    break;
                }
            }
            final byte next = piece.get();
            position++;
            if (next == '\n') {
                isEnded = true;
                break;
            }
            line.write(next);
        }
        return position == offset ? null : line.toByteArray();
    }

    /** Where the last line begins, in bytes. */
    long offset() {
        return offset;
    }

    /** Whether the last line had a break at its end. */
    boolean isEnded() {
        return isEnded;
    }

    /** Where the next line begins, in bytes. */
    long position() {
        return position;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
