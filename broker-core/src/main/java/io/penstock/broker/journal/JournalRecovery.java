package io.penstock.broker.journal;

import io.penstock.broker.shard.log.RecordRefusedException;
import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a shard's files when the broker starts: checks that they are one log without a gap, hands its records over, and
 * finds its end. Bad bytes after the part that is known to have been on stable storage are a torn tail: a write that
 * the machine did not finish, and that was acknowledged to nobody. Bad bytes before are damage, and the log is refused
 * or put aside.
 */
public final class JournalRecovery {
    private static final int PROGRESS_STEP = 1 << 16;

    private final JournalFiles files;
    private final KnownFiles known;
    private final long after;
    private final long newFileLength;
    private final RecordHandler handler;
    private final ProgressHandler progress;

    /**
     * Reads nothing yet.
     *
     * @param files         of the shard, see {@link JournalFiles#find}.
     * @param known         which files there have to be.
     * @param after         sequence after which records are wanted, 0 for all: that of a snapshot, which shows that the
     *                      log was on stable storage up to there.
     * @param newFileLength of the file to go on in when damaged ones are put aside, in bytes; 0 when they are refused.
     * @param handler       gets the records.
     * @param progress      notified of the progress.
     */
    public JournalRecovery(
            final JournalFiles files,
            final KnownFiles known,
            final long after,
            final long newFileLength,
            final RecordHandler handler,
            final ProgressHandler progress) {
        this.files = files;
        this.known = known;
        this.after = after;
        this.newFileLength = newFileLength;
        this.handler = handler;
        this.progress = progress;
    }

    /**
     * Reads all files of a shard.
     *
     * @param shard   whose log it is.
     * @param storage the shard's directory.
     * @param handler gets the records.
     * @return the files, and where the log ends.
     * @throws JournalCorruptException when what is there is not what was written.
     * @throws IOException             when it cannot be read.
     */
    public static Recovered recover(final int shard, final Storage storage, final RecordHandler handler)
            throws IOException {
        final JournalFiles files = JournalFiles.find(shard, 0, storage);
        return new Recovered(
                files, new JournalRecovery(files, KnownFiles.NONE, 0, 0, handler, (count, part, parts) -> {}).run());
    }

    /**
     * Reads the files.
     *
     * @return where the log ends.
     * @throws JournalCorruptException when what is there is not what was written.
     * @throws IOException             when it cannot be read.
     */
    public End run() throws IOException {
        if (files.count() == 0) {
            return runWithoutFiles();
        }
        final JournalChain chain = new JournalChain(files, known);
        if (newFileLength == 0) {
            chain.check();
            return read(chain);
        }
        final List<String> lost = new ArrayList<>(chain.mend(Math.max(after + 1, files.firstSequence())));
        final End end = read(chain);
        if (end.lost() != null) {
            lost.add(end.lost());
        }
        return lost.isEmpty() ? end : end.without(String.join("; ", lost));
    }

    private End runWithoutFiles() throws IOException {
        if (after == 0 && known.first() == 0) {
            return new End(0, 0, null, 0, 0, 0, null);
        }
        final JournalCorruptException missing = new JournalCorruptException(
                files.storage().path(JournalFile.name(Math.max(known.newest(), after + 1))),
                0,
                0,
                "no file of the log is there");
        if (newFileLength == 0) {
            throw missing;
        }
        return new JournalQuarantine(files, known, newFileLength).begin(after, missing);
    }

    private End read(final JournalChain chain) throws IOException {
        final JournalFile[] present = files.snapshot();
        if (after < files.beginsAfter()) {
            throw new IOException("journal: shard " + files.shard() + ": the log begins with record "
                    + present[0].firstSequence() + " in "
                    + files.storage().path(present[0].name()) + ", and no snapshot of the state up to there is usable"
                    + " (restore one from a copy)");
        }
        try (JournalReader reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT)) {
            try {
                return read(chain, reader, present);
            } catch (final JournalCorruptException e) {
                if (newFileLength == 0) {
                    throw e;
                }
                return new JournalQuarantine(files, known, newFileLength).putAside(reader, after, e);
            }
        }
    }

    private End read(final JournalChain chain, final JournalReader reader, final JournalFile[] present)
            throws IOException {
        final JournalFile last = present[present.length - 1];
        final long from = Math.max(after, present[0].firstSequence());
        reader.indexing();
        prefetch(files.find(from));
        reader.seek(from);
        JournalFile file = null;
        int part = 0;
        long count = 0;
        while (reader.tryNext()) {
            if (reader.opened() != file) {
                file = reader.opened();
                part = indexOf(present, file);
                prefetch(part + 1 < present.length ? present[part + 1] : null);
                if (file != null) {
                    file.setIndexed();
                }
            }
            if (reader.nextSequence() > after + 1) {
                apply(reader);
                count++;
                if (count % PROGRESS_STEP == 0) {
                    progress.onProgress(count, part, present.length);
                }
            }
        }
        final long sequence = reader.nextSequence() - 1;
        final long durable = Math.max(after, reader.durableSequence());
        if (!last.equals(reader.opened()) || sequence < durable) {
            throw reader.corrupt();
        }
        final LogTail tail = reader.tail();
        if (tail.isDamage()) {
            throw reader.corrupt();
        }
        if (reader.followedBy() > 0) {
            throw chain.missing(reader.followedBy());
        }
        chain.checkNewest();
        last.setIndexed();
        return new End(
                sequence, reader.epochMax(), last, reader.position(), tail.length(), reader.durableSequence(), null);
    }

    private void apply(final JournalReader reader) throws IOException {
        try {
            handler.onRecord(reader.buffer(), reader.offset(), reader.length());
        } catch (final RecordRefusedException e) {
            throw reader.refuse(String.valueOf(e.getMessage()));
        }
    }

    private void prefetch(final @Nullable JournalFile file) {
        if (file != null) {
            files.storage().prefetch(file.name());
        }
    }

    private static int indexOf(final JournalFile[] present, final @Nullable JournalFile file) {
        int index = 0;
        while (index < present.length - 1 && present[index] != file) {
            index++;
        }
        return index;
    }

    /** Gets records, one after the other. */
    @FunctionalInterface
    public interface RecordHandler {
        /**
         * A record.
         *
         * @param buffer that holds it until the call returns.
         * @param offset of its first byte.
         * @param length of header and payload.
         * @throws RecordRefusedException when it cannot be applied, which is damage as a wrong checksum is. Nothing of
         *                                it has been then.
         */
        void onRecord(DirectBuffer buffer, int offset, int length);
    }

    /** Notified of the progress now and then. */
    @FunctionalInterface
    public interface ProgressHandler {
        /**
         * Some more records were read.
         *
         * @param count     of records so far.
         * @param fileIndex of the file that is being read, from 0.
         * @param fileCount of all files.
         */
        void onProgress(long count, int fileIndex, int fileCount);
    }

    /**
     * The result of the recovery.
     *
     * @param files of the shard.
     * @param end   of its log.
     */
    public record Recovered(JournalFiles files, End end) {}

    /**
     * Where a log ends.
     *
     * @param sequence   of its last record; 0 when it has none.
     * @param epoch      the highest that any run of it had.
     * @param file       to go on in, or null when there is none.
     * @param position   in the file, after the last record.
     * @param tornLength bytes that follow there and are no record.
     * @param durableSequence of the last record that an earlier run has said to be on stable storage.
     * @param lost       what was damaged and was put aside, or null.
     */
    public record End(
            long sequence,
            int epoch,
            @Nullable JournalFile file,
            long position,
            long tornLength,
            long durableSequence,
            @Nullable String lost) {
        /** The file to go on in, for people; empty when there is none. */
        public String fileName() {
            return file == null ? "" : file.name();
        }

        /** The same with something that was lost. */
        End without(final String text) {
            return new End(sequence, epoch, file, position, tornLength, durableSequence, text);
        }

        /** The same with an epoch that may be higher. */
        public End atLeast(final int otherEpoch) {
            return new End(sequence, Math.max(epoch, otherEpoch), file, position, tornLength, durableSequence, lost);
        }
    }
}
