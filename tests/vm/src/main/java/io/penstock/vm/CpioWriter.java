package io.penstock.vm;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes an archive in the one form that a kernel unpacks at boot: cpio, "newc". */
final class CpioWriter implements AutoCloseable {
    private static final int FOLDER = 0040755;
    private static final int PROGRAM = 0100755;
    private static final int ALIGNMENT = 4;
    private static final String END = "TRAILER!!!";

    private final OutputStream out;
    private int nextInode = 1;

    CpioWriter(final Path file) throws IOException {
        out = Files.newOutputStream(file);
    }

    void folder(final String name) throws IOException {
        entry(name, FOLDER, new byte[0]);
    }

    void file(final String name, final byte[] content) throws IOException {
        entry(name, PROGRAM, content);
    }

    /** Magic, then 13 numbers of 8 hexadecimal digits, the name with a zero, the content; both padded. */
    private void entry(final String name, final int mode, final byte[] content) throws IOException {
        final byte[] nameBytes = (name + '\0').getBytes(StandardCharsets.US_ASCII);
        final int[] fields = {
            nextInode++, mode, 0, 0, 1, 0, content.length, 0, 0, 0, 0, nameBytes.length, 0,
        };
        final StringBuilder header = new StringBuilder("070701");
        for (final int field : fields) {
            header.append(String.format("%08x", field));
        }
        write(header.toString().getBytes(StandardCharsets.US_ASCII), nameBytes);
        write(content);
    }

    private void write(final byte[]... parts) throws IOException {
        int length = 0;
        for (final byte[] part : parts) {
            out.write(part);
            length += part.length;
        }
        while (length++ % ALIGNMENT != 0) {
            out.write(0);
        }
    }

    @Override
    public void close() throws IOException {
        entry(END, 0, new byte[0]);
        out.close();
    }
}
