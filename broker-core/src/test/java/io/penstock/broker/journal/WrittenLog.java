package io.penstock.broker.journal;

import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.agrona.DirectBuffer;

/** The files of a log for tests of those who read them: messages of topics {@code t0}, {@code t1} and so on. */
public final class WrittenLog implements AutoCloseable {
    private static final int FILE_LENGTH = 512 * 1024;

    private final SmallJournal journal;
    private final List<Integer> topicIds = new ArrayList<>();

    public WrittenLog(final Path directory) throws IOException {
        journal = new SmallJournal(directory, true, FILE_LENGTH);
    }

    /** Writes messages of some of the topics, in runs of any length, with syncs between. */
    public void append(final Random random, final int count, final int topicCount) throws IOException {
        for (int i = 0; i < count; i++) {
            final int topicId = topicCount == 1 || (random.nextInt(4) > 0 && i > 0)
                    ? topicIds.isEmpty() ? 0 : topicIds.get(topicIds.size() - 1)
                    : random.nextInt(topicCount);
            topicIds.add(topicId);
            journal.append(random.nextInt(500) == 0 ? random.nextInt(100_000) : random.nextInt(150), topicId);
            if (random.nextInt(1_000) == 0) {
                journal.commit();
            }
        }
        journal.writer.write();
    }

    public JournalFiles files() {
        return journal.files;
    }

    public long lastSequence() {
        return topicIds.size();
    }

    /** The sequences of messages of topics whose names match. */
    public List<Long> sequences(final String pattern, final long from, final long to) {
        final Pattern compiled = Pattern.compile(pattern);
        final List<Long> sequences = new ArrayList<>();
        for (long sequence = from; sequence <= to; sequence++) {
            if (compiled.matcher("t" + topicIds.get((int) sequence - 1)).matches()) {
                sequences.add(sequence);
            }
        }
        return sequences;
    }

    /** Flips a bit of a record that is in the first file, not far from its beginning. */
    public void damage(final long sequence) throws IOException {
        final JournalFile first = journal.files.snapshot()[0];
        long position = JournalHead.BLOCK_LENGTH;
        try (RandomAccessFile file = new RandomAccessFile(journal.storage.path(first.name()), "rw")) {
            for (long present = 1; present < sequence; present++) {
                file.seek(position);
                position += RecordDescriptor.alignedLength(Integer.reverseBytes(file.readInt()));
            }
            file.seek(position + RecordDescriptor.TIMESTAMP_OFFSET);
            final int present = file.read();
            file.seek(position + RecordDescriptor.TIMESTAMP_OFFSET);
            file.write(present ^ 1);
        }
    }

    /** Checks a record's bytes. Returns its sequence. */
    public static long check(final DirectBuffer buffer, final int offset) {
        return SmallJournal.check(buffer, offset, RecordDescriptor.length(buffer, offset));
    }

    @Override
    public void close() throws IOException {
        journal.close();
    }
}
