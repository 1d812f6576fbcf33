package io.penstock.standalone.message;

import io.penstock.client.Message;
import io.penstock.client.RecordKind;
import io.penstock.standalone.console.HeaderText;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Writes messages to standard output, one a line, with what was asked for before each. */
final class MessageLines implements AutoCloseable {
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int BUFFER_LENGTH = 64 * 1024;

    private final OutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_LENGTH);
    private final boolean isLong;
    private final boolean hasKinds;
    private final boolean hasKeys;
    private final boolean hasHeaders;

    MessageLines(final boolean isLong, final boolean hasKinds, final boolean hasKeys, final boolean hasHeaders) {
        this.isLong = isLong;
        this.hasKinds = hasKinds;
        this.hasKeys = hasKeys;
        this.hasHeaders = hasHeaders;
    }

    void write(final Message message) throws IOException {
        if (isLong) {
            final Instant time = Instant.ofEpochSecond(
                    message.timestampNs() / NANOS_PER_SECOND, message.timestampNs() % NANOS_PER_SECOND);
            column(time + "\t" + message.topic() + "\t" + message.shard() + ":" + message.sequence());
        }
        if (hasKinds) {
            column(name(message.kind()));
        }
        if (hasKeys) {
            column(message.key());
        }
        if (hasHeaders) {
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

    void flush() throws IOException {
        out.flush();
    }

    /** Writes out what is held; standard output itself stays open, as it is not this object's. */
    @Override
    public void close() throws IOException {
        out.flush();
    }

    /** The name of a kind for people: {@code oof-deleted} for example. */
    private static String name(final RecordKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
