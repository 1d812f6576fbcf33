package io.penstock.broker.journal;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a shard's files when the broker starts: checks that they are one log without a gap, hands its records over, and
 * finds its end. Bad bytes after what is known to have been on stable storage are a torn tail: what was being written
 * when the machine went down, and was acknowledged to nobody. Bad bytes before are damage, and the log is refused.
 */
public final class JournalRecovery {
    private final JournalFiles files;

    private JournalRecovery(final JournalFiles files) {
        this.files = files;
    }

    /**
     * Finds a shard's files and reads them.
     *
     * @param shard   whose log it is.
     * @param storage the shard's directory.
     * @param from    sequence of the first record that is wanted; 0 for all there are.
     * @param handler gets the records.
     * @return the files, and where the log ends.
     * @throws JournalCorruptException when what is there is not what was written.
     * @throws IOException             when it cannot be read.
     */
    public static Recovered recover(
            final int shard, final Storage storage, final long from, final RecordHandler handler) throws IOException {
        final JournalFiles files = new JournalFiles(shard, storage);
        for (final String name : storage.list()) {
            final long firstSequence = JournalFile.firstSequence(name);
            if (firstSequence > 0) {
                files.add(new JournalFile(firstSequence, new SparseIndex()));
            }
        }
        return new Recovered(files, new JournalRecovery(files).read(from, handler));
    }

    private End read(final long from, final RecordHandler handler) throws IOException {
        final JournalFile[] present = files.snapshot();
        if (present.length == 0) {
            return new End(Math.max(0, from - 1), 0, null, 0, false, 0);
        }
        final JournalFile last = present[present.length - 1];
        try (JournalReader reader = new JournalReader(files, JournalReader.BUFFER_LENGTH_DEFAULT)) {
            reader.seek(present[0].firstSequence());
            while (reader.tryNext()) {
                final JournalFile file = reader.opened();
                final long sequence = reader.nextSequence() - 1;
                if (file != null) {
                    file.index().onRecord(reader.buffer(), reader.offset(), reader.recordPosition());
                }
                if (sequence >= from) {
                    handler.onRecord(reader.buffer(), reader.offset(), reader.length());
                }
            }
            final long sequence = reader.nextSequence() - 1;
            if (!last.equals(reader.opened()) || sequence < reader.durableSequence()) {
                throw reader.corrupt();
            }
            return new End(
                    sequence, reader.epochMax(), last, reader.position(), reader.isTorn(), reader.durableSequence());
        }
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
         */
        void onRecord(DirectBuffer buffer, int offset, int length);
    }

    /**
     * What was found.
     *
     * @param files of the shard.
     * @param end   of its log.
     */
    public record Recovered(JournalFiles files, End end) {}

    /**
     * Where a log ends.
     *
     * @param sequence of its last record; 0 when it has none.
     * @param epoch    the highest that any run of it had.
     * @param file     to go on in, or null when there is none.
     * @param position in the file, after the last record.
     * @param torn     whether something that is no record follows there.
     * @param durableSequence of the last record that an earlier run has said to be on stable storage.
     */
    public record End(
            long sequence, int epoch, @Nullable JournalFile file, long position, boolean torn, long durableSequence) {}
}
