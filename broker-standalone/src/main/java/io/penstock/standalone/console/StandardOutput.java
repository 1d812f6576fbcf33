package io.penstock.standalone.console;

import io.penstock.file.FileErrors;
import io.penstock.standalone.CommandFailure;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Standard output, with a buffer. What cannot be written ends the command: its exceptions are none that a writer above would keep
 * to itself. After the first one nothing more is written. Confined to the thread that prints.
 */
public final class StandardOutput extends OutputStream {
    private static final int BUFFER_LENGTH = 64 * 1024;
    private static final String BROKEN_PIPE = "broken pipe";

    private final OutputStream out;
    private final boolean isPipe;
    private @Nullable IOException failure;

    /** The process's own, which stays open when this is closed. */
    public StandardOutput() {
        this(new FileOutputStream(FileDescriptor.out), Terminal.isOutPipe());
    }

    /**
     * Another one in its place.
     *
     * @param out    takes the bytes.
     * @param isPipe whether it can fail in one way alone: as its reader is gone.
     */
    public StandardOutput(final OutputStream out, final boolean isPipe) {
        this.out = new BufferedOutputStream(out, BUFFER_LENGTH);
        this.isPipe = isPipe;
    }

    /**
     * Prints text on it, in UTF-8.
     *
     * @return shows each line that is printed as such.
     */
    public PrintWriter writer() {
        return new PrintWriter(this, true, StandardCharsets.UTF_8);
    }

    /**
     * Writes a byte.
     *
     * @param value whose lower eight bits are it.
     * @throws OutputClosedException when the reader has closed the output.
     * @throws CommandFailure        when it cannot be written for another reason.
     */
    @Override
    public void write(final int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(final byte[] bytes) {
        write(bytes, 0, bytes.length);
    }

    @Override
    public void write(final byte[] bytes, final int offset, final int length) {
        checkWorks();
        try {
            out.write(bytes, offset, length);
        } catch (final IOException e) {
            failure = e;
            throw failed(e);
        }
    }

    /** Returns when all that was written has reached the descriptor. */
    @Override
    public void flush() {
        checkWorks();
        try {
            out.flush();
        } catch (final IOException e) {
            failure = e;
            throw failed(e);
        }
    }

    @Override
    public void close() {
        flush();
    }

    private void checkWorks() {
        final IOException earlier = failure;
        if (earlier != null) {
            throw failed(earlier);
        }
    }

    /** Not the same one again: what is closed after a failure fails, too, and is suppressed by the first. */
    private RuntimeException failed(final IOException e) {
        final String reason = FileErrors.reasonOf(e);
        return isPipe || reason.toLowerCase(Locale.ROOT).contains(BROKEN_PIPE)
                ? new OutputClosedException(e)
                : CommandFailure.failed("standard output: " + reason + " (what was printed is not complete)");
    }
}
