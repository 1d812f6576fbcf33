package io.penstock.bench;

import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of so many keys, each key in turn, that put their key into another of a thousand lanes each time. Which
 * subscriptions a message matches, and which it leaves, follows from its number.
 */
final class LaneMessages {
    static final int LANE_COUNT = 1_000;

    private static final String START = "{\"id\":1000000000,\"lane\":";
    private static final String END = ",\"text\":\"a record that moves from lane to lane, for who follows it\"}";
    private static final int ID_OFFSET = START.indexOf("1000000000");
    private static final int FIRST_ID = 1_000_000_000;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[START.length() + 3 + END.length()]);
    private final byte[] end = END.getBytes(StandardCharsets.UTF_8);
    private final int keyCount;
    private int length;

    LaneMessages(final int keyCount) {
        this.keyCount = keyCount;
        buffer.putBytes(0, START.getBytes(StandardCharsets.UTF_8));
    }

    int keyCount() {
        return keyCount;
    }

    /** Writes a message, whose {@link #length} is known from then on; the same buffer each time. */
    UnsafeBuffer message(final long number) {
        buffer.putNaturalIntAscii(ID_OFFSET, FIRST_ID + (int) (number % keyCount));
        int at = START.length();
        at += buffer.putNaturalIntAscii(at, lane(number));
        buffer.putBytes(at, end);
        length = at + end.length;
        return buffer;
    }

    int length() {
        return length;
    }

    /** The lane that a message puts its key into. */
    static int lane(final long number) {
        long mixed = (number + 1) * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xBF58_476D_1CE4_E5B9L;
        return (int) ((mixed >>> 32) % LANE_COUNT);
    }

    /** The subscription, of so many that share the lanes, that a message matches. */
    static int subscription(final long number, final int subscriptionCount) {
        return (int) (((lane(number) + 1L) * subscriptionCount - 1) / LANE_COUNT);
    }

    /** The filter of one of so many subscriptions that share the lanes. */
    static String filterOfPart(final int subscription, final int subscriptionCount) {
        final int from = (int) ((long) subscription * LANE_COUNT / subscriptionCount);
        final int to = (int) ((subscription + 1L) * LANE_COUNT / subscriptionCount);
        return "lane >= " + from + " AND lane < " + to;
    }

    /** A filter that every message matches, another one for each subscription. */
    static String filterOfAll(final int subscription) {
        return "lane >= " + -subscription + " AND lane < " + LANE_COUNT;
    }

    /** Whether a message takes its key out of one subscription into another; the message before it was of some number. */
    boolean isMove(final long number, final int subscriptionCount) {
        return subscription(number, subscriptionCount) != subscription(number - keyCount, subscriptionCount);
    }
}
