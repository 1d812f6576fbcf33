package io.penstock.bench.state;

import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Rows that are updated by a rule from which follows what they are after any count of updates. Update {@code n}, counted
 * from 1, sets {@code v} of one row to {@code n} and its {@code lane} to {@code n} modulo 8; in each round of as many
 * updates as there are rows each row has its turn once. So after {@code n} updates the rows have the values
 * {@code n}, {@code n - 1} and so on, each once; those that had no turn yet have 0 in lane 8. Confined to one thread.
 */
final class RowUpdates {
    static final int LANE_COUNT = 8;
    static final int LENGTH_MAX = 160;

    private static final byte[] START = bytes("{\"id\":");
    private static final byte[] VALUE = bytes(",\"v\":");
    private static final byte[] LANE = bytes(",\"lane\":");
    private static final byte[] END = bytes(",\"text\":\"a row of a benchmark that is updated while it is queried\"}");

    private final int rowCount;
    private final Walk walk;

    RowUpdates(final int rowCount) {
        this.rowCount = rowCount;
        walk = Walk.spread(rowCount);
    }

    int rowCount() {
        return rowCount;
    }

    /** Writes a row as it is before its first update; returns the length. */
    int writeFirst(final int row, final UnsafeBuffer to) {
        return write(row, 0, LANE_COUNT, to);
    }

    /** Writes an update, counted from 1; returns the length. */
    int write(final long update, final UnsafeBuffer to) {
        return write(row(update), update, (int) (update % LANE_COUNT), to);
    }

    /** The row that an update changes. */
    int row(final long update) {
        return walk.at((int) ((update - 1) % rowCount));
    }

    /** The smallest value after so many updates. */
    long min(final long updates) {
        return Math.max(0, updates - rowCount + 1);
    }

    /** The sum of all values after so many updates. */
    long sum(final long updates) {
        return sumAbove(updates, updates - rowCount);
    }

    /** How many rows have a greater value than some number from 0. */
    long countAbove(final long updates, final long value) {
        return Math.max(0, updates - Math.max(value, updates - rowCount));
    }

    /** How many rows are in a lane below {@link #LANE_COUNT}. */
    long countOf(final long updates, final int lane) {
        final long before = Math.max(0, updates - rowCount);
        return countTo(updates, lane) - countTo(before, lane);
    }

    /** The sum of the values in a lane below {@link #LANE_COUNT}. */
    long sumOf(final long updates, final int lane) {
        final long before = Math.max(0, updates - rowCount);
        return sumTo(updates, lane) - sumTo(before, lane);
    }

    private static long sumAbove(final long updates, final long value) {
        final long before = Math.max(0, value);
        return updates * (updates + 1) / 2 - before * (before + 1) / 2;
    }

    /** How many of the numbers 1 to n are in a lane. */
    private static long countTo(final long n, final int lane) {
        return n < lane || n == 0 ? 0 : (n - lane) / LANE_COUNT + (lane == 0 ? 0 : 1);
    }

    private static long sumTo(final long n, final int lane) {
        final long count = countTo(n, lane);
        final long first = lane == 0 ? LANE_COUNT : lane;
        return count * first + LANE_COUNT * (count * (count - 1) / 2);
    }

    private static int write(final int row, final long value, final int lane, final UnsafeBuffer to) {
        to.putBytes(0, START);
        int at = START.length;
        at += to.putNaturalLongAscii(at, OrderDocuments.FIRST_ID + row);
        to.putBytes(at, VALUE);
        at += VALUE.length;
        at += to.putNaturalLongAscii(at, value);
        to.putBytes(at, LANE);
        at += LANE.length;
        at += to.putNaturalIntAscii(at, lane);
        to.putBytes(at, END);
        return at + END.length;
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
