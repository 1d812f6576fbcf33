package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/** A command failed. The message names the input, the reason and the remedy. */
public class PenstockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final @Nullable ErrorCode errorCode;

    /**
     * Something the broker refused, or that this client refuses for the same reason.
     *
     * @param errorCode as the broker has it, or null when it is of no code this client knows.
     * @param message   input, reason and remedy.
     */
    public PenstockException(final @Nullable ErrorCode errorCode, final String message) {
        super(message);
        this.errorCode = errorCode;
    }

    /**
     * Something that failed on the way.
     *
     * @param message input, reason and remedy.
     * @param cause   of it.
     */
    public PenstockException(final String message, final @Nullable Throwable cause) {
        super(message, cause);
        this.errorCode = null;
    }

    /**
     * The code of the broker's error.
     *
     * @return the code, or null when the failure was not the broker's, or its code is newer than this client.
     */
    public @Nullable ErrorCode errorCode() {
        return errorCode;
    }

    PenstockException(final @Nullable ErrorCode errorCode, final String message, final Throwable cause) {
        super(message, cause);
        this.errorCode = errorCode;
    }

    /** The same failure, which is not its cause: one text is enough. */
    PenstockException(final PenstockException same) {
        super(same.getMessage(), same.getCause());
        this.errorCode = same.errorCode;
        for (final Throwable also : same.getSuppressed()) {
            addSuppressed(also);
        }
    }

    /** Internal: the same, with the stack of the thread that waited in place of that of the thread that found out. */
    public PenstockException onCallersThread() {
        return new PenstockException(this);
    }
}
