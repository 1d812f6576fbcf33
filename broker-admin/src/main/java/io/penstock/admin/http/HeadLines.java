package io.penstock.admin.http;

import io.netty.buffer.ByteBuf;

/**
 * Finds lines of a request's head that begin with a space: they go on with the line before, which RFC 9112 forbids, and
 * which not all that read a request see alike. Confined to the server's thread.
 */
final class HeadLines {
    private boolean isOver;
    private boolean isLineBegun;

    /** Another request follows. */
    void begin() {
        isOver = false;
        isLineBegun = false;
    }

    /** Takes bytes as they come, and leaves them where they are. Returns whether a line goes on with the one before. */
    boolean isFolded(final ByteBuf bytes) {
        for (int i = bytes.readerIndex(); i < bytes.writerIndex() && !isOver; i++) {
            final byte next = bytes.getByte(i);
            if (next == '\n') {
                isOver = !isLineBegun;
                isLineBegun = false;
            } else if (next != '\r') {
                if (!isLineBegun && (next == ' ' || next == '\t')) {
                    return true;
                }
                isLineBegun = true;
            }
        }
        return false;
    }
}
