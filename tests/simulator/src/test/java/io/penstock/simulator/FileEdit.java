package io.penstock.simulator;

import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** Changes a log's last file, as a bug of its reader would see it. */
@FunctionalInterface
interface FileEdit {
    void edit(SimDisk.Directory directory, ModelLog log, SimFile last);

    /** Makes a manifest say something else of the files of all shards: 0, or the oldest for the newest. */
    static void note(final ByteBuffer manifest, final int first, final int newest) {
        final int end = ModelManifest.SHARDS_OFFSET
                + ModelManifest.SHARD_LENGTH * manifest.getInt(ModelManifest.SHARD_COUNT_OFFSET);
        for (int at = ModelManifest.SHARDS_OFFSET; at < end; at += ModelManifest.SHARD_LENGTH) {
            final long oldest = manifest.getLong(at);
            manifest.putLong(at, first * oldest);
            manifest.putLong(at + 8, newest * oldest);
        }
        manifest.putInt(end, ModelLog.checksum(manifest, 0, end, -1));
    }

    /** Makes a head say nothing of the file that follows. */
    static void forgetNext(final ByteBuffer head) {
        head.putLong(288, 0).putInt(296, 0);
    }

    /** The end is found one record too early. */
    static void dropLastRecord(final SimDisk.Directory directory, final ModelLog log, final SimFile last) {
        final ModelLog.Entry entry = log.entries.get(log.entries.size() - 1);
        if (entry.file().equals(log.lastFile) && log.durable < entry.sequence()) {
            final byte[] bytes = Arrays.copyOf(last.bytes(), last.length());
            Arrays.fill(bytes, entry.position(), bytes.length, (byte) 0);
            last.replace(bytes);
        }
    }

    /** The publishers' sequences are not known any more. */
    static void forgetPublishers(final SimDisk.Directory directory, final ModelLog log, final SimFile last) {
        directory.entries.forEach((name, file) -> {
            final byte[] bytes = Arrays.copyOf(file.bytes(), file.length());
            for (final ModelLog.Entry entry : log.entries) {
                if (entry.file().equals(name) && entry.type() == ModelLog.TYPE_MESSAGE) {
                    edit(bytes).putLong(entry.position() + 32, 0);
                    seal(bytes, entry.position());
                }
            }
            file.replace(bytes);
        });
    }

    /** Whatever looks like a record is taken for one, though its checksum is wrong. */
    static void acceptTail(final SimDisk.Directory directory, final ModelLog log, final SimFile last) {
        final byte[] bytes = Arrays.copyOf(last.bytes(), last.length());
        final ByteBuffer buffer = edit(bytes);
        final int length = log.end + 48 > bytes.length ? 0 : buffer.getInt(log.end);
        if (length >= 48 && length <= bytes.length - log.end && buffer.getLong(log.end + 8) == log.lastSequence() + 1) {
            seal(bytes, log.end);
            last.replace(bytes);
        }
    }

    /** What lies after the end is taken for records: the last one comes again, with the next sequence. */
    static void repeatLastRecord(final SimDisk.Directory directory, final ModelLog log, final SimFile last) {
        final ModelLog.Entry entry = log.entries.get(log.entries.size() - 1);
        final byte[] bytes = Arrays.copyOf(last.bytes(), last.length());
        final int length = edit(bytes).getInt(entry.position());
        if (entry.file().equals(log.lastFile) && log.end + length <= bytes.length) {
            System.arraycopy(bytes, entry.position(), bytes, log.end, length);
            edit(bytes).putLong(log.end + 8, entry.sequence() + 1);
            seal(bytes, log.end);
            last.replace(bytes);
        }
    }

    static boolean isZero(final ByteBuffer bytes) {
        for (int at = bytes.position(); at < bytes.limit(); at++) {
            if (bytes.get(at) != 0) {
                return false;
            }
        }
        return true;
    }

    private static ByteBuffer edit(final byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Makes a record's checksum right. */
    private static void seal(final byte[] bytes, final int position) {
        final ByteBuffer buffer = edit(bytes);
        buffer.putInt(position + 44, ModelLog.checksum(buffer, position, buffer.getInt(position), position + 44));
    }

    /** The last sequence in a file as it is read. */
    static long lastSequence(final StoredFile file) throws IOException {
        final byte[] bytes = read(file);
        final ByteBuffer buffer = edit(bytes);
        long last = 0;
        int at = ModelLog.RECORDS_OFFSET;
        while (isRecord(buffer, at)) {
            last = buffer.get(at + 4) == ModelLog.TYPE_COMMIT ? last : buffer.getLong(at + 8);
            at += (buffer.getInt(at) + 7) & -8;
        }
        return last;
    }

    /** A file with every record's checksum made right, whatever is in it. */
    static byte[] sealed(final StoredFile file) throws IOException {
        final byte[] bytes = read(file);
        final ByteBuffer buffer = edit(bytes);
        int at = ModelLog.RECORDS_OFFSET;
        while (isRecord(buffer, at)) {
            seal(bytes, at);
            at += (buffer.getInt(at) + 7) & -8;
        }
        return bytes;
    }

    /** A snapshot with the checksums of its blocks made right, whatever is in them. */
    static byte[] sealedSnapshot(final StoredFile file) throws IOException {
        final byte[] bytes = read(file);
        final ByteBuffer buffer = edit(bytes);
        int at = 0;
        while (at + 24 <= bytes.length && buffer.getInt(at) >= 24 && buffer.getInt(at) <= bytes.length - at) {
            buffer.putInt(at + 12, ModelLog.checksum(buffer, at, buffer.getInt(at), at + 12));
            at += buffer.getInt(at);
        }
        return bytes;
    }

    /** A file with zeros from its first bad record on. */
    static byte[] withoutTail(final StoredFile file) throws IOException {
        final byte[] bytes = read(file);
        final ByteBuffer buffer = edit(bytes);
        int at = ModelLog.RECORDS_OFFSET;
        while (isRecord(buffer, at)
                && buffer.getInt(at + 44) == ModelLog.checksum(buffer, at, buffer.getInt(at), at + 44)) {
            at += (buffer.getInt(at) + 7) & -8;
        }
        Arrays.fill(bytes, Math.min(at, bytes.length), bytes.length, (byte) 0);
        return bytes;
    }

    private static boolean isRecord(final ByteBuffer bytes, final int at) {
        return at + 48 <= bytes.limit() && bytes.getInt(at) >= 48 && bytes.getInt(at) <= bytes.limit() - at;
    }

    private static byte[] read(final StoredFile file) throws IOException {
        final ByteBuffer bytes = ByteBuffer.allocate((int) file.length());
        file.read(bytes, 0);
        return bytes.array();
    }

    /** A file's head with both marks saying that a sequence is on stable storage. */
    static ByteBuffer headWithMark(final StoredFile file, final long sequence) throws IOException {
        final ByteBuffer head = ByteBuffer.allocate(ModelLog.RECORDS_OFFSET).order(ByteOrder.LITTLE_ENDIAN);
        file.read(head, 0);
        head.clear();
        for (int mark = 512; mark <= 1024; mark += 512) {
            if (head.getLong(mark + 8) != 0) {
                head.putLong(mark, sequence);
                final CRC32C crc = new CRC32C();
                crc.update(head.duplicate().position(mark).limit(mark + 20));
                head.putInt(mark + 20, (int) crc.getValue());
            }
        }
        return head;
    }
}
