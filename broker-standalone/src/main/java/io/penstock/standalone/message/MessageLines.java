package io.penstock.standalone.message;

import io.penstock.client.Message;
import io.penstock.standalone.console.HeaderText;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes messages to standard output, one a line, with what was asked for before each. */
final class MessageLines implements MessageOutput {
    private static final int BUFFER_LENGTH = 64 * 1024;

    private final OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_LENGTH);
    private final MessageColumns columns;

    MessageLines(final MessageColumns columns) {
        this.columns = columns;
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
        out.write(bytes);
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
