package io.penstock.broker.shard.feed;

import static io.penstock.protocol.RecordDescriptor.TYPE_PADDING;

import io.penstock.broker.journal.LogPage;
import io.penstock.broker.journal.LogPages;
import io.penstock.broker.journal.PageReader;
import io.penstock.broker.shard.feed.RecordSelector.Choice;
import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;
import io.penstock.broker.shard.match.Run;
import io.penstock.broker.topic.TopicTable;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A subscription that reads the files, until it has reached the window. It enqueues records where they lie in a page,
 * which comes back once all of them were sent. Confined to the file replayer.
 */
final class FileCursor {
    /** Why a cursor has stopped for now. */
    enum Result {
        /** It has read something, and may read more. */
        READ,
        /** Its ring is full, it goes no faster, or it waits for what is written next. */
        WAIT,
        /** There is no page for it. */
        NO_PAGE,
        /** It is at its end. */
        ENDED
    }

    private final Interest interest;
    private final FileClient client;
    private final PageReader reader;
    private final LogPages pages;
    private final RecordSelector selector;
    private final boolean waitsForDurable;
    private final Run run = new Run();
    private @Nullable LogPage page;
    private boolean pageIsRead = true;
    private boolean pageIsEnqueued;
    private boolean isStopped;

    /** The notice that comes after the run and the page: a type of descriptor; 0 = none. */
    private int ending;

    FileCursor(
            final Interest interest,
            final Replay replay,
            final FileClient client,
            final PageReader reader,
            final LogPages pages,
            final TopicTable topics,
            final long nowNs) {
        this.interest = interest;
        this.client = client;
        this.reader = reader;
        this.pages = pages;
        selector = new RecordSelector(interest, replay, topics, new CursorFilters(), nowNs);
        waitsForDurable = replay.waitsForDurable();
    }

    Interest interest() {
        return interest;
    }

    FileClient client() {
        return client;
    }

    /** The sequence of the record that it reads next. */
    long nextSequence() {
        return selector.nextSequence();
    }

    /** Whether it is to read only what is on stable storage. */
    boolean waitsForDurable() {
        return waitsForDurable;
    }

    boolean isEnding() {
        return ending != 0 || isStopped;
    }

    void rate(final Rate rate, final long nowNs) {
        selector.rate(rate, nowNs);
    }

    /** It is superseded: nothing after a sequence is wanted. */
    void end(final long toSequence) {
        selector.end(toSequence);
    }

    /** Ends it without a word, but for the page that others may know of. */
    void stop() {
        isStopped = true;
        run.clear();
    }

    /** Whether it has said all it had to say, and others have its page. */
    boolean isGone() {
        return page == null && (isStopped || ending < 0);
    }

    /** It goes on in the window, once everything read so far is enqueued. */
    void goOnInWindow() {
        ending = Descriptor.TYPE_FILES_END;
    }

    /** Reads up to a page, of records up to a sequence. */
    Result read(final long limit, final long nowNs) throws IOException {
        if (!report()) {
            return Result.WAIT;
        }
        if (isGone()) {
            return Result.ENDED;
        }
        if (selector.nextSequence() > limit) {
            return Result.WAIT;
        }
        if (pageIsRead && !nextPage(limit, nowNs)) {
            return Result.NO_PAGE;
        }
        final Result result = readPage(nowNs);
        report();
        return isGone() ? Result.ENDED : result;
    }

    /** Somebody else needs its page: what is left in it is read again later. */
    void releasePage() {
        pageIsRead = true;
    }

    /** A record cannot be read: the client is sent its sequence. */
    void fail() {
        pageIsRead = true;
        ending = Descriptor.TYPE_FAILED;
    }

    /** Retention has removed the next record: the client is sent its sequence. */
    void onGone() {
        pageIsRead = true;
        ending = Descriptor.TYPE_GONE;
    }

    void close() throws IOException {
        reader.close();
    }

    private boolean nextPage(final long limit, final long nowNs) throws IOException {
        LogPage present = page;
        if (present == null) {
            present = client.mayTakePage() ? pages.take(client, nowNs) : null;
            if (present == null) {
                return false;
            }
            page = present;
        }
        reader.fill(present, limit);
        pageIsRead = false;
        if (reader.nextSequence() > selector.nextSequence()) {
            // The records between were lost, and the log leaves them out.
            selector.onTakenUpTo(reader.nextSequence() - 1);
        }
        return true;
    }

    private Result readPage(final long nowNs) throws IOException {
        while (!selector.isDue()) {
            if (!reader.next()) {
                pageIsRead = true;
                return Result.READ;
            }
            final Choice choice = selector.choose(reader.buffer(), reader.offset(), nowNs);
            if (choice == Choice.PASS) {
                continue;
            }
            if (choice == Choice.WAIT) {
                reader.back();
                return selector.isDue() ? Result.READ : Result.WAIT;
            }
            if (!add()) {
                reader.back();
                return Result.WAIT;
            }
            selector.onTaken(reader.buffer(), reader.offset());
            addFollowing();
        }
        return Result.READ;
    }

    /** Adds what follows the record that was added last, as far as it is sure to be wanted and to fit the run. */
    private void addFollowing() {
        final long toSequence = selector.plainUpTo();
        if (toSequence >= reader.nextSequence()) {
            final long before = reader.nextSequence();
            final int length = reader.skip(run.topicId(), run.room(), toSequence);
            if (length > 0) {
                final long count = reader.nextSequence() - before;
                run.add(length, (int) count);
                selector.onTakenUpTo(reader.nextSequence() - 1);
            }
        }
    }

    /** Adds the reader's record to the run. Returns false when the ring has no room. */
    private boolean add() {
        final int offset = reader.offset();
        final LogPage present = page;
        if (present == null) {
            throw new IllegalStateException("files: a record without a page");
        }
        final long position = (long) present.id() << 32 | offset;
        final int length = RecordDescriptor.alignedLength(reader.length());
        final int topicId = RecordDescriptor.topicId(reader.buffer(), offset);
        if (!run.isEmpty()) {
            skipCommits(position);
            if (run.add(position, length, topicId, false)) {
                return true;
            }
            if (!flush()) {
                return false;
            }
        }
        run.startSequence(RecordDescriptor.sequence(reader.buffer(), offset));
        return run.add(position, length, topicId, false);
    }

    /** Padding between the run and a record is sent along. */
    private void skipCommits(final long position) {
        final long end = run.end();
        if (end < position
                && position - end <= RecordDescriptor.HEADER_LENGTH
                && RecordDescriptor.type(reader.buffer(), (int) end) == TYPE_PADDING) {
            run.pad(end, (int) (position - end));
        }
    }

    private boolean flush() {
        if (run.isEmpty()) {
            return true;
        }
        if (!run.flush(Descriptor.TYPE_PAGE_RUN, client.ring(), interest.feed(), interest.shard())) {
            return false;
        }
        pageIsEnqueued = true;
        return true;
    }

    /** Enqueues the run and the notice that is due after it. Returns false when the ring has no room now. */
    private boolean report() {
        if (!flush()) {
            return false;
        }
        final LogPage present = page;
        if (present != null && (pageIsRead || isEnding())) {
            if (pageIsEnqueued) {
                if (!offer(Descriptor.TYPE_PAGE_END, present.id(), 0)) {
                    return false;
                }
                page = null;
                pageIsEnqueued = false;
            } else if (isEnding()) {
                pages.putBack(present);
                page = null;
            }
        }
        if (isStopped) {
            return true;
        }
        if (ending <= 0 && selector.isDue()) {
            final boolean isAtEnd = selector.isAtEnd();
            if (!offer(Descriptor.TYPE_COMPLETED, isAtEnd ? 1 : 0, selector.nextSequence())) {
                return false;
            }
            selector.onNotified();
            if (isAtEnd) {
                isStopped = true;
                return report();
            }
        }
        if (ending > 0) {
            if (!offer(ending, selector.lastTimestampNs(), selector.nextSequence())) {
                return false;
            }
            ending = -1;
        }
        return true;
    }

    private boolean offer(final int type, final long position, final long sequence) {
        return client.ring().offer(type, interest.feed(), interest.shard(), position, sequence);
    }
}
