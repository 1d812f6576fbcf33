package io.penstock.broker.shard.recovery;

import static io.penstock.broker.journal.snapshot.SnapshotEntry.NAME_OFFSET;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.journal.LogNames;
import io.penstock.protocol.RecordDescriptor;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/** The publishers of a {@link StateImage} with the last sequence of each, by number. */
final class ImagePublishers {
    private final List<String> names = new ArrayList<>();
    private final LongArrayList lastSequences = new LongArrayList();

    /** Takes an entry of a snapshot. */
    void add(final DirectBuffer entry, final int offset, final int length) {
        names.add(name(entry, offset, length));
        lastSequences.addLong(lastSequence(entry, offset));
    }

    /** Takes a record that names a publisher. Returns what is wrong with it, or null. */
    @Nullable
    String onName(final DirectBuffer buffer, final int offset) {
        final int id = RecordDescriptor.publisherId(buffer, offset);
        if (id != names.size() + 1) {
            return "publisher " + id + " after " + names.size() + " publishers";
        }
        final byte[] name = new byte[RecordDescriptor.length(buffer, offset) - HEADER_LENGTH];
        buffer.getBytes(offset + HEADER_LENGTH, name);
        names.add(new String(name, UTF_8));
        lastSequences.addLong(0);
        return null;
    }

    /** Takes a message or a delete. Returns what is wrong with it, or null. */
    @Nullable
    String onMessage(final DirectBuffer buffer, final int offset) {
        final int id = RecordDescriptor.publisherId(buffer, offset);
        if (id < 0 || id > names.size()) {
            return "unknown publisher " + id;
        }
        if (id > 0) {
            lastSequences.setLong(id - 1, RecordDescriptor.publisherSequence(buffer, offset));
        }
        return null;
    }

    /** Takes a record that takes sequences back. Returns what is wrong with it, or null. */
    @Nullable
    String onReset(final DirectBuffer buffer, final int offset) {
        final int id = RecordDescriptor.publisherId(buffer, offset);
        if (id <= 0 || id > names.size()) {
            return "unknown publisher " + id;
        }
        final long sequence = RecordDescriptor.publisherSequence(buffer, offset);
        lastSequences.setLong(id - 1, Math.min(lastSequences.getLong(id - 1), sequence));
        return null;
    }

    /** Compares the next publisher of a snapshot, from 0. */
    void compare(
            final int index,
            final DirectBuffer entry,
            final int offset,
            final int length,
            final StateImage.PublisherHandler handler) {
        final String name = name(entry, offset, length);
        if (index >= names.size()) {
            handler.onDifference(LogNames.clientName(name), "only the snapshot has the publisher");
            return;
        }
        final String made = names.get(index);
        if (!made.equals(name)) {
            handler.onDifference(
                    LogNames.clientName(name),
                    "the log makes " + LogNames.clientName(made) + " publisher " + (index + 1));
        } else if (lastSequences.getLong(index) != lastSequence(entry, offset)) {
            handler.onDifference(
                    LogNames.clientName(name),
                    "the snapshot has its publisher sequence " + lastSequence(entry, offset) + ", the log makes it "
                            + lastSequences.getLong(index));
        }
    }

    /** Reports those that a snapshot does not have, which has had some. */
    void compareRest(final int count, final StateImage.PublisherHandler handler) {
        for (int i = count; i < names.size(); i++) {
            handler.onDifference(LogNames.clientName(names.get(i)), "the snapshot does not have the publisher");
        }
    }

    private static String name(final DirectBuffer entry, final int offset, final int length) {
        final byte[] name = new byte[length - NAME_OFFSET];
        entry.getBytes(offset + NAME_OFFSET, name);
        return new String(name, UTF_8);
    }

    private static long lastSequence(final DirectBuffer entry, final int offset) {
        return entry.getLong(offset, LITTLE_ENDIAN);
    }
}
