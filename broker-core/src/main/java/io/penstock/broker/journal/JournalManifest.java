package io.penstock.broker.journal;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.storage.AlignedBuffer;
import io.penstock.broker.storage.Storage;
import io.penstock.broker.storage.StoredFile;
import io.penstock.file.FileErrors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Lists the logs and files that a broker's directory has to have, so that a missing one is noticed. Two files have the same content, and are written one after the other, first the one that is older or damaged: one of them is always
 * whole, and either is enough.
 *
 * <pre>
 *  0         8         12            16       24           32
 *  +---------+---------+-------------+--------+------------+----------------+------------+-----+----------+
 *  | magic   | version | shard count | log id | generation | first sequence | newest     | ... | checksum |
 *  +---------+---------+-------------+--------+------------+----------------+------------+-----+----------+
 * </pre>
 *
 * <p>All fields are little endian; the checksum is the CRC32C of what is before it. Of each shard it has the first sequence
 * of the oldest file, 0 when its log has not begun, and that of the newest file that was noted: it may be later by what was
 * begun since. Used by the thread that starts the broker, then by the keeper.
 */
public final class JournalManifest {
    private static final String[] NAMES = {"manifest.0", "manifest.1"};
    private static final String TEMPORARY_NAME = "manifest.tmp";
    private static final long MAGIC = 0x54534546494E414DL; // MANIFEST
    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = 8;
    private static final int SHARD_COUNT_OFFSET = 12;
    private static final int LOG_ID_OFFSET = 16;
    private static final int GENERATION_OFFSET = 24;
    private static final int SHARDS_OFFSET = 32;
    private static final int SHARD_LENGTH = 2 * Long.BYTES;
    private static final int SHARD_COUNT_MAX = 1 << 16;

    private final Storage directory;
    private final boolean isFound;
    private final String problem;

    /** Which of the files is written first: the one that is not the good one, or is older. */
    private int first;

    private long logId;
    private long generation;
    private long[] firsts = {};
    private long[] newests = {};

    private JournalManifest(
            final Storage directory, final @Nullable UnsafeBuffer content, final int first, final String problem) {
        this.directory = directory;
        this.first = first;
        this.problem = problem;
        isFound = content != null;
        if (content != null) {
            logId = content.getLong(LOG_ID_OFFSET, LITTLE_ENDIAN);
            generation = content.getLong(GENERATION_OFFSET, LITTLE_ENDIAN);
            resize(content.getInt(SHARD_COUNT_OFFSET, LITTLE_ENDIAN));
            for (int shard = 0; shard < firsts.length; shard++) {
                firsts[shard] = content.getLong(offset(shard), LITTLE_ENDIAN);
                newests[shard] = content.getLong(offset(shard) + Long.BYTES, LITTLE_ENDIAN);
            }
        }
    }

    /**
     * Reads it.
     *
     * @param directory of the broker.
     * @return what is there, which may be none.
     * @throws IOException when it was made by another version.
     */
    public static JournalManifest read(final Storage directory) throws IOException {
        UnsafeBuffer newest = null;
        int first = 0;
        final StringBuilder problems = new StringBuilder();
        for (int i = 0; i < NAMES.length; i++) {
            final String name = NAMES[i];
            String wrong;
            try {
                final UnsafeBuffer content = read(directory, name);
                wrong = check(content);
                if (wrong == null && (newest == null || generation(content) > generation(newest))) {
                    newest = content;
                    first = NAMES.length - 1 - i;
                }
            } catch (final IOException e) {
                wrong = directory.exists(name) ? "cannot be read: " + e.getMessage() : "missing";
            }
            if (wrong != null) {
                problems.append(problems.isEmpty() ? "" : "; ")
                        .append(directory.path(name))
                        .append(": ")
                        .append(wrong);
            }
        }
        if (newest != null && newest.getInt(VERSION_OFFSET, LITTLE_ENDIAN) != VERSION) {
            throw new IOException("journal: " + directory.path(NAMES[0]) + ": format version "
                    + newest.getInt(VERSION_OFFSET, LITTLE_ENDIAN) + ", this broker knows " + VERSION
                    + " (use the version that the log was made with)");
        }
        return new JournalManifest(directory, newest, first, problems.toString());
    }

    /** Whether at least one of its files is good. */
    public boolean isFound() {
        return isFound;
    }

    /**
     * Problems of its files.
     *
     * @return for people, each with its file; empty when nothing is.
     */
    public String problem() {
        return problem;
    }

    /** How many shards it has. */
    public int shardCount() {
        return firsts.length;
    }

    /**
     * Makes it one of so many shards, and writes it.
     *
     * @param shardCount of the broker.
     * @param newLogId   distinguishes this log from others, when it is a new one.
     * @throws IOException when the disk fails.
     */
    public void begin(final int shardCount, final long newLogId) throws IOException {
        logId = logId == 0 ? newLogId : logId;
        resize(shardCount);
        write();
    }

    /**
     * The entries of one shard.
     *
     * @param shard of the broker.
     * @return view of this.
     */
    public Shard shard(final int shard) {
        return new Shard(shard);
    }

    /** One shard in it. */
    public final class Shard implements KnownFiles {
        private final int shard;

        private Shard(final int shard) {
            this.shard = shard;
        }

        @Override
        public long logId() {
            return logId;
        }

        @Override
        public long first() {
            return shard < firsts.length ? firsts[shard] : 0;
        }

        @Override
        public long newest() {
            return shard < newests.length ? newests[shard] : 0;
        }

        @Override
        public void note(final long first, final long newest) throws IOException {
            if (first == first() && newest == newest()) {
                return;
            }
            final long firstBefore = first();
            final long newestBefore = newest();
            firsts[shard] = first;
            newests[shard] = newest;
            boolean isWritten = false;
            try {
                write();
                isWritten = true;
            } finally {
                if (!isWritten) {
                    // It is noted again before anything relies on it.
                    firsts[shard] = firstBefore;
                    newests[shard] = newestBefore;
                }
            }
        }
    }

    private void write() throws IOException {
        generation++;
        final int length = offset(firsts.length);
        final AlignedBuffer memory = new AlignedBuffer(length + Integer.BYTES);
        try {
            final UnsafeBuffer content = memory.buffer();
            content.setMemory(0, memory.capacity(), (byte) 0);
            content.putLong(0, MAGIC, LITTLE_ENDIAN);
            content.putInt(VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
            content.putInt(SHARD_COUNT_OFFSET, firsts.length, LITTLE_ENDIAN);
            content.putLong(LOG_ID_OFFSET, logId, LITTLE_ENDIAN);
            content.putLong(GENERATION_OFFSET, generation, LITTLE_ENDIAN);
            for (int shard = 0; shard < firsts.length; shard++) {
                content.putLong(offset(shard), firsts[shard], LITTLE_ENDIAN);
                content.putLong(offset(shard) + Long.BYTES, newests[shard], LITTLE_ENDIAN);
            }
            content.putInt(length, checksum(content, length), LITTLE_ENDIAN);
            write(NAMES[first], memory);
            // The one that is whole now stays until the other is, too, also when this run goes on after a failure.
            first = NAMES.length - 1 - first;
            write(NAMES[first], memory);
        } finally {
            memory.free();
        }
    }

    /** Written in place, which takes no room of a full disk; a new file gets its name when it is whole. */
    private void write(final String name, final AlignedBuffer memory) throws IOException {
        final boolean isThere = directory.exists(name);
        if (!isThere && directory.exists(TEMPORARY_NAME)) {
            directory.delete(TEMPORARY_NAME);
        }
        try (StoredFile file = isThere ? directory.open(name, true) : directory.create(TEMPORARY_NAME)) {
            file.write(memory.bytes().clear(), 0);
            file.sync();
        }
        if (!isThere) {
            try {
                directory.rename(TEMPORARY_NAME, name);
            } catch (final IOException e) {
                throw FileErrors.explained(Path.of(directory.path(name)), e);
            }
            directory.sync();
        }
    }

    private void resize(final int shardCount) {
        firsts = Arrays.copyOf(firsts, shardCount);
        newests = Arrays.copyOf(newests, shardCount);
    }

    private static UnsafeBuffer read(final Storage directory, final String name) throws IOException {
        try (StoredFile file = directory.open(name, false)) {
            final int length = (int) Math.min(file.length(), offset(SHARD_COUNT_MAX) + AlignedBuffer.BLOCK_LENGTH);
            final AlignedBuffer memory = new AlignedBuffer(length);
            try {
                final byte[] bytes = new byte[file.read(memory.bytes().clear().limit(length), 0)];
                memory.buffer().getBytes(0, bytes);
                return new UnsafeBuffer(bytes);
            } finally {
                memory.free();
            }
        }
    }

    private static @Nullable String check(final UnsafeBuffer content) {
        if (content.capacity() < SHARDS_OFFSET) {
            return "cut off: " + content.capacity() + " bytes";
        }
        final int shardCount = content.getInt(SHARD_COUNT_OFFSET, LITTLE_ENDIAN);
        if (content.getLong(0, LITTLE_ENDIAN) != MAGIC || shardCount < 0 || shardCount > SHARD_COUNT_MAX) {
            return "not a manifest";
        }
        final int length = offset(shardCount);
        if (content.capacity() < length + Integer.BYTES) {
            return "cut off: " + content.capacity() + " bytes";
        }
        return content.getInt(length, LITTLE_ENDIAN) == checksum(content, length) ? null : "its checksum is wrong";
    }

    private static long generation(final UnsafeBuffer content) {
        return content.getLong(GENERATION_OFFSET, LITTLE_ENDIAN);
    }

    private static int offset(final int shard) {
        return SHARDS_OFFSET + shard * SHARD_LENGTH;
    }

    private static int checksum(final UnsafeBuffer content, final int length) {
        final byte[] bytes = new byte[length];
        content.getBytes(0, bytes);
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
