package io.penstock.bench.state;

import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.MessageFormats;
import java.util.List;
import java.util.PriorityQueue;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Hand-written loops over the same rows: a loop over the addresses of the newest versions that reads the fields with
 * the project's JSON reader and tests them in Java. No snapshots, no plans, no pages. Confined to one thread.
 */
final class PlainLoops {
    private static final int SYMBOL = 0;
    private static final int PRICE = 1;
    private static final int SIDE = 2;
    private static final int GROUPS = 64;

    private final StateStore store;
    private final FieldSet fields = new FieldSet();
    private final FieldReader reader;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);

    PlainLoops(final StateStore store) {
        this.store = store;
        for (final String name : List.of("symbol", "price", "side")) {
            fields.slotOf(FieldPath.of(name));
        }
        reader = MessageFormats.formatFor("json").newReader(fields);
    }

    /** How many rows match {@link StateQueries#FILTER}. */
    long count() {
        long count = 0;
        for (int row = 0, rowCount = store.rowCount(); row < rowCount; row++) {
            if (wrap(row) && isMatch()) {
                count++;
            }
        }
        return count;
    }

    private boolean isMatch() {
        return reader.type(SYMBOL) == FieldType.STRING
                && reader.stringLength(SYMBOL) == 3
                && byteOf(SYMBOL, 0) == 'I'
                && byteOf(SYMBOL, 1) == 'B'
                && byteOf(SYMBOL, 2) == 'M'
                && price() > 100
                && reader.type(SIDE) == FieldType.STRING
                && reader.stringLength(SIDE) == 1
                && (byteOf(SIDE, 0) == 'B' || byteOf(SIDE, 0) == 'S');
    }

    /** The sum of the best prices, with their rows kept in a heap of the language's library. */
    double top(final int limit) {
        final PriorityQueue<Priced> best = new PriorityQueue<>();
        double worst = Double.NEGATIVE_INFINITY;
        for (int row = 0, rowCount = store.rowCount(); row < rowCount; row++) {
            if (wrap(row)) {
                final double price = price();
                if (best.size() < limit || price > worst) {
                    best.add(new Priced(price, row));
                    if (best.size() > limit) {
                        best.remove();
                    }
                    worst = best.element().price;
                }
            }
        }
        return best.stream().mapToDouble(Priced::price).sum();
    }

    /** How many rows there are, with count and sum of prices kept for each symbol in arrays. */
    long group() {
        final long[] symbols = new long[GROUPS];
        final long[] counts = new long[GROUPS];
        final double[] sums = new double[GROUPS];
        long rows = 0;
        for (int row = 0, rowCount = store.rowCount(); row < rowCount; row++) {
            if (wrap(row) && reader.type(SYMBOL) == FieldType.STRING) {
                long symbol = 0;
                for (int i = 0, length = reader.stringLength(SYMBOL); i < length; i++) {
                    symbol = symbol << 8 | byteOf(SYMBOL, i);
                }
                int group = (int) (OrderDocuments.mix(symbol) & GROUPS - 1);
                while (counts[group] != 0 && symbols[group] != symbol) {
                    group = group + 1 & GROUPS - 1;
                }
                symbols[group] = symbol;
                counts[group]++;
                sums[group] += price();
            }
        }
        double sum = 0;
        for (int i = 0; i < GROUPS; i++) {
            rows += counts[i];
            sum += sums[i];
        }
        return sum > 0 ? rows : 0;
    }

    /** Writes over a message of the same length. */
    static void overwrite(final long version, final DirectBuffer documents, final int offset, final int length) {
        if (Version.messageLength(version) != length) {
            throw new IllegalStateException("bench: an update of another length");
        }
        UnsafeApi.copyMemory(
                documents.byteArray(),
                documents.addressOffset() + offset,
                null,
                Version.messageAddress(version),
                length);
    }

    private boolean wrap(final int row) {
        final long version = store.newest(row);
        if (version == 0) {
            return false;
        }
        Version.wrapMessage(message, version);
        reader.wrap(message, 0, message.capacity());
        return true;
    }

    private double price() {
        final FieldType type = reader.type(PRICE);
        return type == FieldType.DOUBLE
                ? reader.doubleValue(PRICE)
                : type == FieldType.LONG ? reader.longValue(PRICE) : Double.NaN;
    }

    private byte byteOf(final int slot, final int index) {
        return reader.stringBuffer(slot).getByte(reader.stringOffset(slot) + index);
    }

    /** A row and its price. */
    private record Priced(double price, int row) implements Comparable<Priced> {
        @Override
        public int compareTo(final Priced other) {
            return Double.compare(price, other.price);
        }
    }
}
