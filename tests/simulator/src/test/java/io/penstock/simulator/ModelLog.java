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

    private static final byte[] NO_CHECKSUM = new byte[4];

    /** The records of the log: those of removed files, as far as they are known, and those of present files. */
    final List<Entry> entries;

    final List<Commit> commits = new ArrayList<>();

    /** The first sequence of the files that are there; 0 when there is none. */
    long firstSequence;

    int fileCount;

    /** What marks and commits say was on stable storage. */
    long durable;

    /** What commits after it say, too. */
    long stated;

    /** The last record of the last group that has its commit: all of it was written. */
    long ended;

    /** The last file, and where its records end in it. */
    String lastFile = "";

    int end = RECORDS_OFFSET;
    boolean isTorn;

    /** Whether the last file was another one before. */
    boolean isUsedAgain;

    @Nullable
    String problem;

    /** What was read before: a record that is the same is not made again. */
    private final List<Entry> before;

    private int epoch;
    private int epochMax;

    /** A commit, where it is in files, and the sequence of the record after it. */
    record Commit(String file, int position, long next) {}

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

        boolean isAt(final String otherFile, final int otherPosition, final int otherChecksum, final int otherEpoch) {
            return position == otherPosition
                    && checksum == otherChecksum
                    && epoch == otherEpoch
                    && file.equals(otherFile);
        }

        boolean isExpiry() {
            return (flags & 4) != 0;
        }
    }

    private ModelLog(final List<Entry> entries, final List<Entry> before) {
        this.entries = entries;
        this.before = before;
    }

    /** Reads the files of a directory as they are seen now. */
    static ModelLog read(final SimDisk.Directory directory) {
        return read(directory, List.of(), List.of());
    }

    /**
     * Reads the files of a directory as they are seen now.
     *
     * @param gone   the log's records from its first one on, as far as files with them were removed.
     * @param before what was read before.
     */
    static ModelLog read(final SimDisk.Directory directory, final List<Entry> gone, final List<Entry> before) {
        final List<Map.Entry<String, SimFile>> files = new ArrayList<>();
        for (final Map.Entry<String, SimFile> file : directory.entries.entrySet()) {
            if (isLog(file.getKey())) {
                files.add(file);
            }
        }
        final long first = files.isEmpty() ? 0 : firstSequence(files.get(0).getKey());
        final int count = (int) Math.min(gone.size(), Math.max(0, first - 1));
        final List<Entry> entries = new ArrayList<>(Math.max(1024, before.size()));
        entries.addAll(gone.subList(0, count));
        final ModelLog log = new ModelLog(entries, before);
        log.epoch = entries.isEmpty() ? 0 : entries.get(count - 1).epoch();
        log.firstSequence = first;
        log.fileCount = files.size();
        for (int i = 0; i < files.size() && log.problem == null; i++) {
            log.readFile(files, i);
        }
        return log;
    }

    /** Reads one file that is about to be removed. */
    static List<Entry> read(final String name, final SimFile file, final List<Entry> before) {
        final ModelLog log = new ModelLog(new ArrayList<>(), before);
        log.readRecords(name, file);
        return log.entries;
    }

    static boolean isLog(final String name) {
        return name.endsWith(".log");
    }

    /** Of a file, by its name. */
    static long firstSequence(final String name) {
        return Long.parseLong(name.substring(0, 19));
    }

    /** The record of a sequence, or null. */
    @Nullable
    Entry entry(final long sequence) {
        final int index =
                entries.isEmpty() ? -1 : (int) (sequence - entries.get(0).sequence());
        return index >= 0 && index < entries.size() ? entries.get(index) : null;
    }

    private void readFile(final List<Map.Entry<String, SimFile>> files, final int index) {
        final String name = files.get(index).getKey();
        final SimFile file = files.get(index).getValue();
        final String stop = readRecords(name, file);
        if (problem != null) {
            return;
        }
        if (index < files.size() - 1) {
            final String next = files.get(index + 1).getKey();
            if (firstSequence(next) != lastSequence() + 1) {
                problem = name + ": " + stop + ", and " + next + " follows";
            }
            return;
        }
        stated = Math.max(durable, statedBehind(bytes(file)));
        if (lastSequence() < stated) {
            problem = name + ": " + stop + ", and " + stated + " was on stable storage";
        } else if (isChangedSince(bytes(file))) {
            problem = name + ": " + stop + ", and all of its group was written";
        }
    }

    long lastSequence() {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).sequence();
    }

    /** Reads a file's records. Returns why it has stopped. */
    private String readRecords(final String name, final SimFile file) {
        final ByteBuffer bytes = bytes(file);
        lastFile = name;
        end = RECORDS_OFFSET;
        if (bytes.limit() < RECORDS_OFFSET
                || bytes.getLong(0) != 0x4B434F54534E4550L
                || bytes.getInt(48) != checksum(bytes, 0, 48, -1)
                || bytes.getInt(8) != 1
                || bytes.getLong(16) != firstSequence(name)) {
            problem = name + ": no head";
            return "";
        }
        isUsedAgain = bytes.getInt(44) != 0;
        epochMax = Math.max(epochMax, bytes.getInt(40));
        boolean marked = false;
        long newest = 0;
        long marked0 = 0;
        for (int mark = 512; mark <= 1024; mark += 512) {
            final long counter = bytes.getLong(mark + 8);
            if (counter != 0 && bytes.getInt(mark + 20) == checksum(bytes, mark, 20, -1)) {
                marked = true;
                epochMax = Math.max(epochMax, bytes.getInt(mark + 16));
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
        epochMax = Math.max(epochMax, epoch);
        if (type == TYPE_COMMIT) {
            durable = Math.max(durable, sequence);
            ended = Math.max(ended, bytes.getLong(end + 32));
            commits.add(new Commit(name, end, lastSequence() + 1));
        } else {
            final Entry known = sequence > before.size() ? null : before.get((int) sequence - 1);
            entries.add(
                    known != null && known.isAt(name, end, bytes.getInt(end + 44), epoch)
                            ? known
                            : entry(name, bytes, length, type, sequence));
        }
        end += (length + 7) & -8;
        return null;
    }

    private long nextSequence(final String name) {
        return entries.isEmpty() ? firstSequence(name) : lastSequence() + 1;
    }

    /** What commits after the end say was on stable storage, when it is more than there is; else 0. */
    private long statedBehind(final ByteBuffer bytes) {
        long stated = 0;
        for (int at = end; at + 48 <= bytes.limit(); at += 8) {
            if (bytes.getLong(at + 8) > lastSequence() && isCommit(bytes, at)) {
                stated = Math.max(stated, bytes.getLong(at + 8));
            }
        }
        return stated;
    }

    /** Whether the group that the end is in has its commit, and no more sectors of zeros than that says. */
    private boolean isChangedSince(final ByteBuffer bytes) {
        for (int at = end; at + 48 <= bytes.limit(); at += 8) {
            if (isCommit(bytes, at) && bytes.getLong(at + 32) > lastSequence()) {
                if (at - bytes.getInt(at + 24) > end) {
                    // Of the group before all was stored, also its commit.
                    return bytes.getLong(at + 8) >= lastSequence();
                }
                int zeros = 0;
                int sector = at - bytes.getInt(at + 24);
                for (int next = (sector & -512) + 512; next <= at; next += 512) {
                    boolean isZero = true;
                    for (; sector < next; sector++) {
                        isZero &= bytes.get(sector) == 0;
                    }
                    zeros += isZero ? 1 : 0;
                }
                if (zeros <= bytes.getInt(at + 28)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isCommit(final ByteBuffer bytes, final int at) {
        return bytes.getInt(at) == 48
                && bytes.get(at + 4) == TYPE_COMMIT
                && bytes.getInt(at + 40) >= epoch
                && bytes.getInt(at + 40) <= epochMax
                && bytes.getInt(at + 44) == checksum(bytes, at, 48, at + 44);
    }

    private static ByteBuffer bytes(final SimFile file) {
        return ByteBuffer.wrap(file.bytes(), 0, file.length()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private Entry entry(
            final String name, final ByteBuffer bytes, final int length, final int type, final long sequence) {
        final int flags = bytes.get(end + 5);
        final int trailer = bytes.getShort(end + 6) & 0xFFFF;
        final int headersAt = end + length - trailer;
        final int headersLength = (flags & 8) == 0 ? 0 : bytes.getShort(headersAt) & 0xFFFF;
        final int keyAt = headersAt + headersLength;
        final int keyLength = (flags & 1) == 0 ? 0 : trailer - headersLength - ((flags & 2) == 0 ? 0 : 8);
        final String message = new String(bytes.array(), end + 48, length - 48 - trailer, UTF_8);
        if (type == TYPE_MESSAGE) {
            Message.checkHeaders(name, "", message, bytes.array(), headersAt, headersLength);
        }
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
                message,
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
            crc.update(NO_CHECKSUM);
            crc.update(bytes.array(), without + 4, offset + length - without - 4);
        }
        return (int) crc.getValue();
    }
}
