package io.penstock.standalone.message;

import io.penstock.client.Message;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.HeaderText;
import io.penstock.standalone.console.Terminal;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes messages to standard output, one a line, with what was asked for before each. */
final class MessageLines implements MessageOutput {
    private static final int BUFFER_LENGTH = 64 * 1024;

    private final MessageColumns columns;
    private final OutputStream out;
    private final boolean isSeen;

    MessageLines(final MessageColumns columns) {
        this(columns, new FileOutputStream(FileDescriptor.out), Terminal.isOutSeen());
    }

    /** Writes to a stream; on a terminal control characters are escaped, elsewhere bytes stay as they are. */
    MessageLines(final MessageColumns columns, final OutputStream out, final boolean isSeen) {
        this.columns = columns;
        this.out = new BufferedOutputStream(out, BUFFER_LENGTH);
        this.isSeen = isSeen;
    }

    @Override
    public void write(final Message message) throws IOException {
        if (columns.isLong()) {
            column(MessageRows.time(message) + "\t" + message.topic() + "\t" + message.shard() + ":"
                    + message.sequence());
        }
        if (columns.hasKinds()) {
            column(MessageRows.name(message.kind()));
        }
        if (columns.hasKeys()) {
            // Publishers may give any text.
            column(message.key().replaceAll("\\p{Cc}", " "));
        }
        if (columns.hasHeaders()) {
            column(HeaderText.column(message.headers()));
        }
        final byte[] bytes = message.bytes();
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\n' || bytes[i] == '\r') {
                bytes[i] = ' ';
            }
        }
        out.write(
                isSeen
                        ? ControlCharacters.escaped(new String(bytes, StandardCharsets.UTF_8))
                                .getBytes(StandardCharsets.UTF_8)
                        : bytes);
        out.write('\n');
    }

    private void column(final String text) throws IOException {
        out.write((text + "\t").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    /** Writes out what is held; standard output itself stays open, as it is not this object's. */
    @Override
    public void close() throws IOException {
        out.flush();
    }
}
