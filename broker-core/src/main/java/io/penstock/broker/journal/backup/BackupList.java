package io.penstock.broker.journal.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.journal.JournalAdmission;
import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.StoredFile;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a backup has: it is written when all of it is there.
 *
 * <pre>
 * penstock backup 1
 * log LOG ID IN HEXADECIMAL DIGITS
 * made TIME
 * shards COUNT
 * shard NUMBER FIRST SEQUENCE LAST SEQUENCE
 * KIND SHA-256 LENGTH PATH
 * end CRC32C OF ALL LINES BEFORE, IN HEXADECIMAL DIGITS
 * </pre>
 *
 * @param logId      of the log.
 * @param made       when it was begun.
 * @param shardCount of the broker.
 * @param shards     those whose log has begun, by their numbers.
 * @param files      of the log, and snapshots.
 */
public record BackupList(
        long logId, Instant made, int shardCount, List<BackupList.Shard> shards, List<BackupList.Entry> files) {
    /** Of the file. */
    public static final String NAME = JournalAdmission.BACKUP;

    private static final String MAGIC = "penstock backup ";
    private static final String VERSION = "1";
    private static final int LENGTH_MAX = 256 * 1024 * 1024;

    /**
     * The part of a shard's log.
     *
     * @param shard of the broker.
     * @param first sequence of its first record.
     * @param last  sequence of its last record: state and log of the backup are as of this one.
     */
    public record Shard(int shard, long first, long last) {}

    /** What a file is. */
    public enum Kind {
        /** A file of the log that is never written again. */
        FULL,
        /** The newest file of a log. */
        OPEN,
        /** A snapshot of the state. */
        STATE
    }

    /**
     * A file.
     *
     * @param kind     of file.
     * @param checksum SHA-256 of its bytes, in hexadecimal digits.
     * @param length   in bytes.
     * @param shard    whose it is.
     * @param name     in the shard's directory.
     */
    public record Entry(Kind kind, String checksum, long length, int shard, String name) {
        /** Where it is in the backup. */
        String path() {
            return "shard-" + shard + "/" + name;
        }
    }

    /** Takes its lists over. */
    public BackupList {
        for (final Shard each : shards) {
            if (each.shard < 0 || each.shard >= shardCount) {
                throw new IllegalArgumentException("a shard that the broker does not have: " + each.shard);
            }
        }
        shards = List.copyOf(shards);
        files = List.copyOf(files);
    }

    /**
     * Reads the list of a backup.
     *
     * @param backup directory.
     * @return the list.
     * @throws IOException when there is none, it is damaged, or it was made by another version.
     */
    public static BackupList read(final DiskStorage backup) throws IOException {
        final String path = backup.path(NAME);
        if (!backup.exists(NAME)) {
            throw new IOException(path + ": not there: this is no backup, or one that was not finished"
                    + " (give one of the folders in the folder of backups)");
        }
        final String text = text(backup);
        final int end = text.lastIndexOf("\nend ") + 1;
        if (end == 0 || !text.substring(end).equals(ending(text.substring(0, end)))) {
            throw new IOException(path + ": damaged: its checksum is wrong (use another backup)");
        }
        final List<String> lines = text.substring(0, end).lines().toList();
        if (!lines.get(0).equals(MAGIC + VERSION)) {
            throw new IOException(path + ": of another version: " + lines.get(0) + ", this program knows " + VERSION
                    + " (use the version that the backup was made with)");
        }
        try {
            return parse(lines);
        } catch (final IllegalArgumentException | IndexOutOfBoundsException | DateTimeException e) {
            throw new IOException(path + ": not a list of files: " + e.getMessage() + " (use another backup)", e);
        }
    }

    /** The file's entry, or null. */
    @Nullable
    Entry find(final int shard, final String name) {
        for (final Entry each : files) {
            if (each.shard == shard && each.name.equals(name)) {
                return each;
            }
        }
        return null;
    }

    /** The entry of a file in a directory of the backup, or null. */
    @Nullable
    Entry find(final String directory, final String name) {
        for (final Entry each : files) {
            if (each.name.equals(name) && each.path().equals(directory + "/" + name)) {
                return each;
            }
        }
        return null;
    }

    /** Writes it, and puts it on stable storage. */
    void write(final DiskStorage backup) throws IOException {
        final StringBuilder lines = new StringBuilder()
                .append(MAGIC + VERSION + "\nlog ")
                .append(HexFormat.of().toHexDigits(logId))
                .append("\nmade ")
                .append(made)
                .append("\nshards ")
                .append(shardCount)
                .append('\n');
        for (final Shard each : shards) {
            lines.append("shard " + each.shard + " " + each.first + " " + each.last + "\n");
        }
        for (final Entry each : files) {
            lines.append(each.kind + " " + each.checksum + " " + each.length + " " + each.path() + "\n");
        }
        lines.append(ending(lines.toString()));
        final byte[] bytes = lines.toString().getBytes(UTF_8);
        final AlignedBuffer memory = new AlignedBuffer(bytes.length);
        try (StoredFile file = backup.create(NAME)) {
            file.write(memory.bytes().clear().put(bytes).flip(), 0);
            file.sync();
        } finally {
            memory.free();
        }
    }

    private static String ending(final String before) {
        final CRC32C crc = new CRC32C();
        crc.update(before.getBytes(UTF_8));
        return "end " + HexFormat.of().toHexDigits(crc.getValue(), Integer.BYTES * 2) + "\n";
    }

    private static String text(final DiskStorage backup) throws IOException {
        try (StoredFile file = backup.open(NAME, false)) {
            if (file.length() > LENGTH_MAX) {
                throw new IOException(
                        backup.path(NAME) + ": too long for a list of files: " + file.length() + " bytes");
            }
            final AlignedBuffer memory = new AlignedBuffer((int) Math.max(1, file.length()));
            try {
                final byte[] bytes = new byte[file.read(memory.bytes().clear().limit((int) file.length()), 0)];
                memory.buffer().getBytes(0, bytes);
                return new String(bytes, UTF_8);
            } finally {
                memory.free();
            }
        }
    }

    private static BackupList parse(final List<String> lines) {
        final List<Shard> shards = new ArrayList<>();
        final List<Entry> files = new ArrayList<>();
        for (final String line : lines.subList(4, lines.size())) {
            final String[] words = line.split(" ", -1);
            if (words[0].equals("shard")) {
                shards.add(new Shard(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3])));
            } else {
                files.add(entry(words));
            }
        }
        return new BackupList(
                HexFormat.fromHexDigitsToLong(value(lines.get(1), "log ")),
                Instant.parse(value(lines.get(2), "made ")),
                Integer.parseInt(value(lines.get(3), "shards ")),
                shards,
                files);
    }

    /** The path is made of its parts again, so that no list leads out of the backup. */
    private static Entry entry(final String[] words) {
        final String path = words[3];
        final int slash = path.indexOf('/');
        final String name = path.substring(slash + 1);
        if (!name.matches("[0-9]{19}\\.log|state-[0-9]{19}\\.snap")) {
            throw new IllegalArgumentException("not the name of a file of a log: " + path);
        }
        return new Entry(
                Kind.valueOf(words[0]),
                words[1],
                Long.parseLong(words[2]),
                Integer.parseInt(path.substring("shard-".length(), slash)),
                name);
    }

    private static String value(final String line, final String name) {
        if (!line.startsWith(name)) {
            throw new IllegalArgumentException("not '" + name.strip() + "': " + line);
        }
        return line.substring(name.length());
    }
}
