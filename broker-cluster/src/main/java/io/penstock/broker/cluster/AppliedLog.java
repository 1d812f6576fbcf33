package io.penstock.broker.cluster;

import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What stands for a shard here: gives each message a sequence, drops those of a publisher that were applied before, and
 * keeps a checksum over everything. A function of the commands alone. Written by one thread; counts are read by any.
 */
final class AppliedLog {
    private static final int HEAD_LENGTH = 5 * Long.BYTES;

    private final Int2ObjectHashMap<Origin> origins = new Int2ObjectHashMap<>();
    private final Long2LongHashMap publishers = new Long2LongHashMap(0);
    private final CRC32C crc = new CRC32C();
    private final byte[] bytes = new byte[HEAD_LENGTH];
    private final UnsafeBuffer head = new UnsafeBuffer(bytes);
    private final AtomicLong sequence = new AtomicLong();
    private final AtomicLong checksum = new AtomicLong();
    private final AtomicLong repeatedCommands = new AtomicLong();
    private final AtomicLong duplicates = new AtomicLong();
    private long timeNs;

    /** How far the commands of an origin were applied. */
    private static final class Origin {
        private long incarnation;
        private long number;
    }

    /** Applies a command. Returns false when it was dropped: it was applied before, or one before it was not. */
    boolean apply(final DirectBuffer buffer, final int offset, final long timestampNs) {
        final int id = CommandHeader.member(buffer, offset) << Short.SIZE | CommandHeader.agent(buffer, offset);
        final Origin origin = origins.computeIfAbsent(id, key -> new Origin());
        final long incarnation = CommandHeader.incarnation(buffer, offset);
        if (incarnation > origin.incarnation) {
            origin.incarnation = incarnation;
            origin.number = 0;
        }
        if (incarnation < origin.incarnation || CommandHeader.number(buffer, offset) != origin.number + 1) {
            repeatedCommands.incrementAndGet();
            return false;
        }
        origin.number++;
        // The clock of another leader may be behind.
        timeNs = Math.max(timeNs, timestampNs);
        int at = offset + CommandHeader.LENGTH;
        for (int i = 0, count = CommandHeader.count(buffer, offset); i < count; i++) {
            final int length = MessageEntry.length(buffer, at);
            onMessage(buffer, at, length);
            at += BitUtil.align(length, Long.BYTES);
        }
        return true;
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length) {
        final int publisher = MessageEntry.publisher(buffer, offset);
        final long publisherSequence = MessageEntry.publisherSequence(buffer, offset);
        if (publisherSequence <= publishers.get(publisher)) {
            duplicates.incrementAndGet();
            return;
        }
        publishers.put(publisher, publisherSequence);
        final long next = sequence.get() + 1;
        head.putLong(0, checksum.get());
        head.putLong(Long.BYTES, next);
        head.putLong(2 * Long.BYTES, publisher);
        head.putLong(3 * Long.BYTES, publisherSequence);
        head.putLong(4 * Long.BYTES, timeNs);
        crc.reset();
        crc.update(bytes, 0, HEAD_LENGTH);
        final byte[] payload = new byte[length - MessageEntry.PAYLOAD_OFFSET];
        buffer.getBytes(offset + MessageEntry.PAYLOAD_OFFSET, payload);
        crc.update(payload, 0, payload.length);
        checksum.set(crc.getValue());
        sequence.set(next);
    }

    /** The number of the last command of an origin that was applied; 0 when none of that incarnation was. */
    long appliedNumber(final int member, final int agent, final long incarnation) {
        final Origin origin = origins.get(member << Short.SIZE | agent);
        return origin == null || origin.incarnation != incarnation ? 0 : origin.number;
    }

    /** The highest sequence of a publisher that was applied. */
    long publisherSequence(final int publisher) {
        return publishers.get(publisher);
    }

    /** The sequence of the last message. Any thread. */
    long sequence() {
        return sequence.get();
    }

    /** Over all messages, their sequences, publishers and times. Any thread. */
    long checksum() {
        return checksum.get();
    }

    /** Commands that were dropped. Any thread. */
    long repeatedCommands() {
        return repeatedCommands.get();
    }

    /** Messages that were dropped. Any thread. */
    long duplicates() {
        return duplicates.get();
    }

    /** Writes everything. Returns its length in bytes. */
    int write(final ExpandableArrayBuffer to) {
        int at = 0;
        for (final long each : new long[] {sequence.get(), checksum.get(), timeNs, origins.size(), publishers.size()}) {
            to.putLong(at, each);
            at += Long.BYTES;
        }
        for (final Int2ObjectHashMap<Origin>.EntryIterator each =
                        origins.entrySet().iterator();
                each.hasNext(); ) {
            each.next();
            to.putLong(at, each.getIntKey());
            to.putLong(at + Long.BYTES, each.getValue().incarnation);
            to.putLong(at + 2 * Long.BYTES, each.getValue().number);
            at += 3 * Long.BYTES;
        }
        for (final Long2LongHashMap.EntryIterator each = publishers.entrySet().iterator(); each.hasNext(); ) {
            each.next();
            to.putLong(at, each.getLongKey());
            to.putLong(at + Long.BYTES, each.getLongValue());
            at += 2 * Long.BYTES;
        }
        return at;
    }

    /** Takes over what was written. */
    void read(final DirectBuffer from, final int offset) {
        sequence.set(from.getLong(offset));
        checksum.set(from.getLong(offset + Long.BYTES));
        timeNs = from.getLong(offset + 2 * Long.BYTES);
        final long originCount = from.getLong(offset + 3 * Long.BYTES);
        final long publisherCount = from.getLong(offset + 4 * Long.BYTES);
        int at = offset + HEAD_LENGTH;
        for (int i = 0; i < originCount; i++) {
            final Origin origin = new Origin();
            origin.incarnation = from.getLong(at + Long.BYTES);
            origin.number = from.getLong(at + 2 * Long.BYTES);
            origins.put((int) from.getLong(at), origin);
            at += 3 * Long.BYTES;
        }
        for (int i = 0; i < publisherCount; i++) {
            publishers.put(from.getLong(at), from.getLong(at + Long.BYTES));
            at += 2 * Long.BYTES;
        }
    }
}
