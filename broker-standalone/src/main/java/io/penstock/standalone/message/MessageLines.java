package io.penstock.standalone.message;

import io.penstock.client.Message;
import io.penstock.standalone.console.ControlCharacters;
import io.penstock.standalone.console.HeaderText;
import io.penstock.standalone.console.StandardOutput;
import io.penstock.standalone.console.Terminal;
import java.nio.charset.StandardCharsets;

/** Writes messages to standard output, one a line, with what was asked for before each. */
final class MessageLines implements MessageOutput {
    private final MessageColumns columns;
    private final StandardOutput out;
    private final boolean isSeen;

    MessageLines(final MessageColumns columns) {
        this(columns, new StandardOutput(), Terminal.isOutSeen());
    }

    /** Writes to a stream; on a terminal control characters are escaped, elsewhere bytes stay as they are. */
    MessageLines(final MessageColumns columns, final StandardOutput out, final boolean isSeen) {
        this.columns = columns;
        this.out = out;
        this.isSeen = isSeen;
    }

    @Override
    public void write(final Message message) {
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

    private void column(final String text) {
        out.write(((isSeen ? ControlCharacters.escaped(text) : text) + "\t").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void flush() {
        out.flush();
    }

    /** Writes out what is held; standard output itself stays open, as it is not this object's. */
    @Override
    public void close() {
        out.flush();
    }
}
