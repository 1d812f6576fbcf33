package io.penstock.broker.sink;

import io.penstock.broker.storage.DiskStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/** A sink in a directory of a test, and blocks for it. */
final class TestSink {
    static final SinkSettings SETTINGS = new SinkSettings("events", "events.dat", 0, true);

    final Path directory;
    final WatchedStorage storage;

    TestSink(final Path directory) throws IOException {
        this.directory = directory;
        storage = new WatchedStorage(DiskStorage.open(directory.toString()));
    }

    SinkFile open() throws IOException {
        return open(true);
    }

    SinkFile open(final boolean isSynced) throws IOException {
        return SinkFile.open(storage, new SinkSettings(SETTINGS.name(), SETTINGS.file(), 0, isSynced), () -> 1_000);
    }

    /** Where the records of an index end. */
    static int end(final byte[] index) {
        final ByteBuffer bytes = ByteBuffer.wrap(index).order(ByteOrder.LITTLE_ENDIAN);
        int end = IndexRecord.HEAD_LENGTH;
        while (end < index.length && bytes.getInt(end) != 0) {
            end += bytes.getInt(end);
        }
        return end;
    }

    /** With zeros in place of what was not written any more. */
    static byte[] torn(final byte[] index, final int length) {
        return Arrays.copyOf(Arrays.copyOf(index, length), index.length);
    }

    static byte[] bytes(final Random random, final int length) {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    static void write(final SinkFile sink, final byte[] bytes) throws IOException {
        final ByteBuffer piece =
                ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        sink.write(piece);
    }

    static int checksum(final byte[] bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    static void store(final SinkFile sink, final String producer, final long id, final byte[] bytes)
            throws IOException {
        write(sink, bytes);
        sink.keep(producer, id, checksum(bytes));
    }

    byte[] file() throws IOException {
        return Files.readAllBytes(directory.resolve(SETTINGS.file()));
    }

    byte[] index() throws IOException {
        return Files.readAllBytes(directory.resolve(SETTINGS.index()));
    }

    void put(final byte[] file, final byte[] index) throws IOException {
        Files.write(directory.resolve(SETTINGS.file()), file);
        Files.write(directory.resolve(SETTINGS.index()), index);
    }

    List<IndexEntry> entries() throws IOException {
        final List<IndexEntry> entries = new ArrayList<>();
        try (var index = storage.open(SETTINGS.index(), false);
                IndexReader reader = new IndexReader(index, "index")) {
            IndexEntry entry;
            while ((entry = reader.next()) != null) {
                if (entry.isBlock()) {
                    entries.add(entry);
                }
            }
        }
        return entries;
    }

    static byte[] join(final List<byte[]> blocks) {
        int length = 0;
        for (final byte[] block : blocks) {
            length += block.length;
        }
        final ByteBuffer all = ByteBuffer.allocate(length);
        blocks.forEach(all::put);
        return all.array();
    }
}
