package io.penstock.broker.journal;

import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_COMMIT;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;
import static io.penstock.protocol.RecordDescriptor.TYPE_OFFSET;
import static io.penstock.protocol.RecordDescriptor.TYPE_PADDING;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.journal.record.ChecksumBatch;
import io.penstock.broker.journal.record.RecordChecksum;
import io.penstock.broker.journal.record.RecordRules;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a shard's files page by page while they are written, and checks each record. Records stay in their page, from
 * which other agents send them. Commit records become padding there, so that the records around them are one run.
 * Records are checked some at a time; when there is something wrong with them, each by itself. Has one owner.
 */
public final class PageReader implements AutoCloseable {
    private static final UnsafeBuffer EMPTY = new UnsafeBuffer(new byte[0]);

    private final PageSource source;
    private final RecordChecksum checksum = new RecordChecksum();
    private final ChecksumBatch batch = new ChecksumBatch();

    /** Where the next record is in the file. */
    private long filePosition;

    private long nextSequence;
    private long limit;
    private int epoch;

    private @Nullable ByteBuffer bytes;
    private UnsafeBuffer buffer = EMPTY;
    private int available;
    private int next;

    /** Records of the page before this were checked. */
    private int checkedEnd;

    private int offset;
    private int length;
    private int neededLength = LogPage.LENGTH;

    /**
     * Makes a reader.
     *
     * @param files    to read.
     * @param sequence of the first record that is wanted; one before the first there is is missing.
     */
    public PageReader(final JournalFiles files, final long sequence) {
        source = new PageSource(files);
        nextSequence = sequence;
    }

    /**
     * Reads from the next record on into a page. The page before is its owner's from now on.
     *
     * @param page            to fill.
     * @param writtenSequence up to which records are in the files.
     * @throws JournalGoneException    when retention has removed the next record.
     * @throws JournalCorruptException when its file is missing, or is not as it was written.
     * @throws IOException             when files cannot be read.
     */
    public void fill(final LogPage page, final long writtenSequence) throws IOException {
        final long wanted = nextSequence;
        if (!source.isOpen()) {
            seek(wanted);
        } else {
            openFollowing();
        }
        limit = writtenSequence;
        read(page);
        // Records between an entry of the index and the one that is wanted.
        while (nextSequence < wanted && nextSequence <= limit) {
            if (!next()) {
                openFollowing();
                read(page);
            }
        }
    }

    private void read(final LogPage page) throws IOException {
        page.ensureLength(neededLength);
        neededLength = LogPage.LENGTH;
        final long aligned = filePosition & -JournalHead.BLOCK_LENGTH;
        buffer = page.buffer();
        bytes = page.bytes();
        available = source.read(page.bytes().clear(), aligned);
        next = (int) (filePosition - aligned);
        checkedEnd = next;
    }

    /**
     * Goes to the next record of the page.
     *
     * @return false when the page has no more whole one up to the limit.
     * @throws JournalGoneException    when retention has removed the record.
     * @throws JournalCorruptException when the record is not as it was written.
     * @throws IOException             when files cannot be read.
     */
    public boolean next() throws IOException {
        while (nextSequence <= limit) {
            if (next >= checkedEnd && !check()) {
                return false;
            }
            offset = next;
            length = RecordDescriptor.length(buffer, next);
            final int aligned = RecordDescriptor.alignedLength(length);
            next += aligned;
            filePosition += aligned;
            epoch = RecordDescriptor.epoch(buffer, offset);
            if (RecordDescriptor.type(buffer, offset) != TYPE_COMMIT) {
                nextSequence++;
                return true;
            }
            buffer.putByte(offset + TYPE_OFFSET, (byte) TYPE_PADDING);
        }
        return false;
    }

    /**
     * Skips messages of a topic that follow directly, as far as they are checked already.
     *
     * @param topicId    of the messages.
     * @param lengthMax  bytes at most, with padding.
     * @param toSequence of the last one that may be skipped.
     * @return length of all of them in bytes, with padding; 0 when {@link #next} has to look.
     */
    public int skip(final int topicId, final int lengthMax, final long toSequence) {
        final UnsafeBuffer present = buffer;
        final int start = next;
        final long last = Math.min(limit, toSequence);
        final int end = Math.min(checkedEnd, start + lengthMax);
        long sequence = nextSequence;
        int at = start;
        int previous = start;
        while (at < end && sequence <= last) {
            final long head = present.getLong(at, LITTLE_ENDIAN);
            final int following = at + RecordDescriptor.alignedLength((int) head);
            if ((int) (head >>> Integer.SIZE & 0xFF) != TYPE_MESSAGE
                    || RecordDescriptor.topicId(present, at) != topicId
                    || following > end) {
                break;
            }
            previous = at;
            at = following;
            sequence++;
        }
        if (at > start) {
            next = at;
            filePosition += at - start;
            nextSequence = sequence;
            epoch = RecordDescriptor.epoch(present, previous);
        }
        return at - start;
    }

    /** Checks the next records. Returns false when there is no whole one in the page; throws when it is bad. */
    private boolean check() throws IOException {
        final ByteBuffer memory = bytes;
        if (memory == null) {
            throw new IOException("journal: no file is open");
        }
        checkedEnd = batch.goodEnd(
                buffer, memory, next, available, source.fileLength() - filePosition, nextSequence, limit, epoch);
        return checkedEnd > next || checkOne(memory);
    }

    /** Says what is wrong with the next record, if it is. */
    private boolean checkOne(final ByteBuffer memory) throws IOException {
        final int left = available - next;
        if (left < HEADER_LENGTH) {
            return endOfPage(left, HEADER_LENGTH);
        }
        final int stated = RecordDescriptor.length(buffer, next);
        final String wrong = RecordRules.check(buffer, next, source.fileLength() - filePosition, nextSequence, epoch);
        if (wrong != null) {
            return endOfFile(wrong);
        }
        if (stated > left) {
            return endOfPage(left, stated);
        }
        if (!checksum.isGood(buffer, memory, next, stated)) {
            return endOfFile("its checksum is wrong");
        }
        checkedEnd = next + RecordDescriptor.alignedLength(stated);
        return true;
    }

    /** Goes back to before the record that {@link #next} found last, so that it comes again. */
    public void back() {
        final int aligned = RecordDescriptor.alignedLength(length);
        next = offset;
        filePosition -= aligned;
        nextSequence--;
    }

    public UnsafeBuffer buffer() {
        return buffer;
    }

    public int offset() {
        return offset;
    }

    /**
     * The present record's header and payload.
     *
     * @return length in bytes, without padding.
     */
    public int length() {
        return length;
    }

    /**
     * The sequence of the record that {@link #next} finds.
     *
     * @return sequence.
     */
    public long nextSequence() {
        return nextSequence;
    }

    @Override
    public void close() throws IOException {
        source.close();
    }

    /** The record goes on after the page, or the file ends. */
    private boolean endOfPage(final int left, final int needed) throws IOException {
        final ByteBuffer memory = bytes;
        if (filePosition + left >= source.fileLength() || memory == null || available < memory.capacity()) {
            return endOfFile("the file ends");
        }
        if (needed > LogPage.LENGTH - JournalHead.BLOCK_LENGTH) {
            neededLength = needed + 2 * JournalHead.BLOCK_LENGTH;
        }
        return false;
    }

    /** There is no record here: the log goes on in another file, or it is damaged. */
    private boolean endOfFile(final String wrong) throws IOException {
        source.findFollowing(filePosition, nextSequence, wrong);
        return false;
    }

    private void openFollowing() throws IOException {
        if (source.openFollowing(nextSequence)) {
            begin();
        }
    }

    private void seek(final long sequence) throws IOException {
        final SparseIndex index = source.open(sequence);
        begin();
        final long near = index.floor(sequence);
        if (near > 0) {
            nextSequence = near;
            filePosition = index.position(near);
        }
    }

    private void begin() {
        filePosition = JournalHead.BLOCK_LENGTH;
        nextSequence = source.firstSequence();
    }
}
