package io.penstock.broker.query;

import io.penstock.broker.query.collect.QueryMemory;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.Topic;
import io.penstock.protocol.RecordDescriptor;
import io.penstock.transport.TransportContext;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The pages that one query agent fills for one query, and the way of full ones to the I/O agent and back. Bounded: when
 * all pages are on their way the query agent goes on with other queries.
 */
final class ResultPages {
    static final int PAGE_COUNT_MAX = 8;

    /** Leaves room in a transport's unit for the headers before the records. */
    static final int PAGE_LENGTH = TransportContext.FRAGMENT_LENGTH_MIN - 256;

    private final OneToOneConcurrentArrayQueue<ResultPage> full = new OneToOneConcurrentArrayQueue<>(PAGE_COUNT_MAX);
    private final OneToOneConcurrentArrayQueue<ResultPage> empty = new OneToOneConcurrentArrayQueue<>(PAGE_COUNT_MAX);
    private final int batchSize;
    private final Runnable onFull;
    private final QueryMemory memory;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer headers = new UnsafeBuffer(0, 0);
    private @Nullable ResultPage page;
    private int pageCount;
    private long taken;

    /** @param memory of the pages of all queries. */
    ResultPages(final int batchSize, final Runnable onFull, final QueryMemory memory) {
        this.memory = memory;
        this.batchSize = batchSize == 0 ? Integer.MAX_VALUE : batchSize;
        this.onFull = onFull;
    }

    /**
     * Adds a record. Called by the query agent.
     *
     * @param publisherKey whether it gets the version's key.
     * @param isWhole      whether it gets the headers of the version's message.
     * @param version      that it is of, whose sequence and time it gets; 0 for none.
     * @return false when there is no page now.
     */
    boolean add(
            final Topic topic,
            final boolean publisherKey,
            final boolean isWhole,
            final long version,
            final DirectBuffer payload,
            final int offset,
            final int length) {
        int keyLength = 0;
        if (publisherKey && version != 0) {
            Version.wrapKey(key, version);
            keyLength = key.capacity();
        }
        final int headersLength = isWhole && version != 0 ? Version.headersLength(version) : 0;
        final int trailerLength = headersLength + keyLength;
        final int recordLength = RecordDescriptor.HEADER_LENGTH + length + trailerLength;
        final int alignedLength = RecordDescriptor.alignedLength(recordLength);
        final ResultPage to = page(topic, alignedLength);
        if (to == null) {
            return false;
        }
        final UnsafeBuffer buffer = to.buffer();
        final int at = to.length();
        buffer.setMemory(at, RecordDescriptor.HEADER_LENGTH, (byte) 0);
        buffer.putInt(at + RecordDescriptor.LENGTH_OFFSET, recordLength, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(at + RecordDescriptor.TYPE_OFFSET, (byte) RecordDescriptor.TYPE_DERIVED);
        buffer.putInt(at + RecordDescriptor.TOPIC_ID_OFFSET, topic.id(), ByteOrder.LITTLE_ENDIAN);
        if (version != 0) {
            buffer.putLong(at + RecordDescriptor.SEQUENCE_OFFSET, Version.sequence(version), ByteOrder.LITTLE_ENDIAN);
            buffer.putLong(
                    at + RecordDescriptor.TIMESTAMP_OFFSET, Version.timestampNs(version), ByteOrder.LITTLE_ENDIAN);
        }
        buffer.putBytes(at + RecordDescriptor.HEADER_LENGTH, payload, offset, length);
        if (trailerLength > 0) {
            final int flags = (keyLength > 0 ? RecordDescriptor.FLAG_KEY : 0)
                    | (headersLength > 0 ? RecordDescriptor.FLAG_HEADERS : 0);
            buffer.putByte(at + RecordDescriptor.FLAGS_OFFSET, (byte) flags);
            buffer.putShort(
                    at + RecordDescriptor.TRAILER_LENGTH_OFFSET, (short) trailerLength, ByteOrder.LITTLE_ENDIAN);
            putTrailer(buffer, at + RecordDescriptor.HEADER_LENGTH + length, version, headersLength, keyLength);
        }
        to.added(alignedLength);
        return true;
    }

    private void putTrailer(
            final UnsafeBuffer to, final int at, final long version, final int headersLength, final int keyLength) {
        if (headersLength > 0) {
            Version.wrapHeaders(headers, version);
            to.putBytes(at, headers, 0, headersLength);
        }
        to.putBytes(at + headersLength, key, 0, keyLength);
    }

    /** Adds a row for a query that asks for rows only; false when there is no page now. */
    boolean addRow(final Topic topic, final int row, final long version) {
        final ResultPage to = page(topic, ResultPage.rowLength(version));
        if (to == null) {
            return false;
        }
        to.addRow(row, version);
        return true;
    }

    /** Hands the page over that is not full yet. */
    void flush() {
        final ResultPage last = page;
        if (last != null && last.recordCount() > 0) {
            page = null;
            // There is room for all pages there are.
            full.add(last);
            onFull.run();
        }
    }

    /** The next page to send, or null. Called by the I/O agent. */
    @Nullable
    ResultPage poll() {
        return full.poll();
    }

    /** A page was sent. Called by the I/O agent. */
    void recycle(final ResultPage sent) {
        empty.add(sent);
    }

    /** Frees what is not with the I/O agent. Called when both agents are done. */
    void free() {
        ResultPage next;
        while ((next = full.poll()) != null || (next = empty.poll()) != null) {
            next.free();
        }
        if (page != null) {
            page.free();
            page = null;
        }
        memory.giveBack(taken);
        taken = 0;
    }

    private @Nullable ResultPage page(final Topic topic, final int alignedLength) {
        ResultPage present = page;
        if (present != null
                && present.recordCount() > 0
                && (!present.isOf(topic.shard(), topic.id())
                        || present.recordCount() >= batchSize
                        || alignedLength > PAGE_LENGTH - present.length())) {
            flush();
            present = null;
        }
        if (present == null) {
            present = takePage();
            if (present == null) {
                return null;
            }
        }
        page = present;
        if (alignedLength > present.buffer().capacity()) {
            if (!takeToGrow(alignedLength - present.buffer().capacity())) {
                return null;
            }
            page = null;
            present.free();
            present = new ResultPage(alignedLength);
            page = present;
        }
        if (present.recordCount() == 0) {
            present.start(topic.shard(), topic.id());
        }
        return present;
    }

    private @Nullable ResultPage takePage() {
        final ResultPage used = empty.poll();
        if (used != null) {
            used.start(0, 0);
            return used;
        }
        // The first one is there in any case, so that nobody waits for others with short records.
        if (pageCount == PAGE_COUNT_MAX || (pageCount > 0 && !take(PAGE_LENGTH))) {
            return null;
        }
        pageCount++;
        return new ResultPage(PAGE_LENGTH);
    }

    /**
     * Takes memory by which the present page grows. Pages that lie empty give way to it. When there are no others, it grows
     * in any case: what it waits for could be with others that wait as well. False while others are on their way.
     */
    private boolean takeToGrow(final int length) {
        while (!take(length)) {
            final ResultPage spare = empty.poll();
            if (spare != null) {
                drop(spare);
            } else if (pageCount == 1) {
                memory.takeAnyway(length);
                taken += length;
                return true;
            } else {
                return false;
            }
        }
        return true;
    }

    /** One that is not the only one: all of it was taken. */
    private void drop(final ResultPage spare) {
        final int length = spare.buffer().capacity();
        spare.free();
        pageCount--;
        taken -= length;
        memory.giveBack(length);
    }

    private boolean take(final int length) {
        if (!memory.take(length, false)) {
            return false;
        }
        taken += length;
        return true;
    }
}
