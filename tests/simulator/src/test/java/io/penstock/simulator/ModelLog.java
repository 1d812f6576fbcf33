package io.penstock.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A shard's log as its files have it, read by what the documentation says of them and by none of the broker's code. */
@SuppressWarnings("ByteBufferBackingArray") // All buffers here are made by wrap.
final class ModelLog {
    static final int RECORDS_OFFSET = 4096;
    static final int TYPE_MESSAGE = 1;
    static final int TYPE_TOPIC = 2;
    static final int TYPE_PUBLISHER = 3;
    static final int TYPE_DELETE = 4;
    static final int TYPE_COMMIT = 6;

    final List<Entry> entries = new ArrayList<>();
    int fileCount;

    /** What marks and commits say was on stable storage. */
    long durable;

    /** The last file, and where its records end in it. */
    String lastFile = "";

    int end = RECORDS_OFFSET;
    boolean isTorn;

    @Nullable
    String problem;

    private int epoch;

    /** A record; its message and its key in UTF-8. */
    record Entry(
            int type,
            int flags,
            long sequence,
            long timestampNs,
            int topicId,
            int publisherId,
            long publisherSequence,
            int epoch,
            int checksum,
            String file,
            int position,
            String message,
            String key,
            long expiresNs) {
        boolean isSame(final Entry other) {
            return sequence == other.sequence && checksum == other.checksum && epoch == other.epoch;
        }

        boolean isExpiry() {
            return (flags & 4) != 0;
        }
    }

    /** Reads the files of a directory as they are seen now. */
    static ModelLog read(final SimDisk.Directory directory) {
        final ModelLog log = new ModelLog();
        final List<Map.Entry<String, SimFile>> files = new ArrayList<>();
        for (final Map.Entry<String, SimFile> file : directory.entries.entrySet()) {
            if (file.getKey().endsWith(".log")) {
                files.add(file);
            }
        }
        log.fileCount = files.size();
        for (int i = 0; i < files.size() && log.problem == null; i++) {
            final String stop = log.readFile(files.get(i).getKey(), files.get(i).getValue());
            if (log.problem == null && i < files.size() - 1) {
                final String next = files.get(i + 1).getKey();
                if (Long.parseLong(next.substring(0, 19)) != log.lastSequence() + 1) {
                    log.problem = files.get(i).getKey() + ": " + stop + ", and " + next + " follows";
                }
            } else if (log.problem == null && log.lastSequence() < log.durable) {
                log.problem = files.get(i).getKey() + ": " + stop + ", and " + log.durable + " was on stable storage";
            }
        }
        return log;
    }

    long lastSequence() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).sequence();
    }

    /** Reads a file's records. Returns why it has stopped. */
    private String readFile(final String name, final SimFile file) {
        final ByteBuffer bytes = ByteBuffer.wrap(file.bytes(), 0, file.length()).order(ByteOrder.LITTLE_ENDIAN);
        lastFile = name;
        end = RECORDS_OFFSET;
        if (bytes.limit() < RECORDS_OFFSET
                || bytes.getLong(0) != 0x4B434F54534E4550L
                || bytes.getInt(48) != checksum(bytes, 0, 48, -1)
                || bytes.getInt(8) != 1
                || bytes.getLong(16) != Long.parseLong(name.substring(0, 19))) {
            problem = name + ": no head";
            return "";
        }
        boolean marked = false;
        long newest = 0;
        long marked0 = 0;
        for (int mark = 512; mark <= 1024; mark += 512) {
            final long counter = bytes.getLong(mark + 8);
            if (counter != 0 && bytes.getInt(mark + 20) == checksum(bytes, mark, 20, -1)) {
                marked = true;
                if (counter > newest) {
                    newest = counter;
                    marked0 = bytes.getLong(mark);
                }
            }
        }
        if (!marked) {
            problem = name + ": no mark";
            return "";
        }
        durable = Math.max(durable, marked0);
        while (true) {
            final String stop = readEntry(name, bytes);
            if (stop != null) {
                isTorn = end + 48 <= bytes.limit() && bytes.getInt(end) != 0;
                return stop;
            }
        }
    }

    private @Nullable String readEntry(final String name, final ByteBuffer bytes) {
        if (end + 48 > bytes.limit()) {
            return "the end";
        }
        final int length = bytes.getInt(end);
        if (length < 48 || length > bytes.limit() - end) {
            return "length " + length;
        }
        final int type = bytes.get(end + 4);
        final long sequence = bytes.getLong(end + 8);
        if (type == TYPE_COMMIT ? sequence > lastSequence() : sequence != nextSequence(name)) {
            return "sequence " + sequence;
        }
        if (bytes.getInt(end + 40) < epoch) {
            return "epoch " + bytes.getInt(end + 40);
        }
        if (bytes.getInt(end + 44) != checksum(bytes, end, length, end + 44)) {
            return "checksum";
        }
        epoch = bytes.getInt(end + 40);
        if (type == TYPE_COMMIT) {
            durable = Math.max(durable, sequence);
        } else {
            entries.add(entry(name, bytes, length, type, sequence));
        }
        end += (length + 7) & -8;
        return null;
    }

    private long nextSequence(final String name) {
        return entries.isEmpty() ? Long.parseLong(name.substring(0, 19)) : lastSequence() + 1;
    }

    private Entry entry(
            final String name, final ByteBuffer bytes, final int length, final int type, final long sequence) {
        final int flags = bytes.get(end + 5);
        final int trailer = bytes.getShort(end + 6) & 0xFFFF;
        final int keyLength = (flags & 1) == 0 ? 0 : trailer - ((flags & 2) == 0 ? 0 : 8);
        final int keyAt = end + length - trailer;
        return new Entry(
                type,
                flags,
                sequence,
                bytes.getLong(end + 16),
                bytes.getInt(end + 24),
                bytes.getInt(end + 28),
                bytes.getLong(end + 32),
                bytes.getInt(end + 40),
                bytes.getInt(end + 44),
                name,
                end,
                new String(bytes.array(), end + 48, length - 48 - trailer, UTF_8),
                new String(bytes.array(), keyAt, keyLength, UTF_8),
                (flags & 2) == 0 ? 0 : bytes.getLong(end + length - 8));
    }

    /** CRC32C, with four bytes somewhere in it taken as 0. */
    static int checksum(final ByteBuffer bytes, final int offset, final int length, final int without) {
        final CRC32C crc = new CRC32C();
        if (without < 0) {
            crc.update(bytes.array(), offset, length);
        } else {
            crc.update(bytes.array(), offset, without - offset);
            crc.update(new byte[4]);
            crc.update(bytes.array(), without + 4, offset + length - without - 4);
        }
        return (int) crc.getValue();
    }
}
