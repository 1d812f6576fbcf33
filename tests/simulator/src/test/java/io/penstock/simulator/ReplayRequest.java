package io.penstock.simulator;

import io.penstock.protocol.codec.IfMissing;
import io.penstock.protocol.codec.LogEnd;
import io.penstock.protocol.codec.LogStart;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.RateUnit;
import io.penstock.protocol.codec.SubscribeFromEncoder;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;

/** What a subscription from a place of the log asks for. */
final class ReplayRequest {
    /** Of a shard that a bookmark says nothing of. */
    static final long UNKNOWN = -1;

    final Wish wish;
    final long subscriptionId;
    final boolean isLive;
    LogStart start = LogStart.BEGINNING;
    boolean isStartIncluded;
    long startTimeNs;
    LogEnd end = LogEnd.NONE;
    boolean isEndIncluded;
    long endTimeNs;
    IfMissing ifMissing = IfMissing.FAIL;
    RateUnit rateUnit = RateUnit.NONE;
    long rate;
    long commandId;

    /** By shards, of those that are written to files. */
    final long[] startSequences;

    final long[] endSequences;

    ReplayRequest(final Wish wish, final long subscriptionId, final boolean isLive, final int shardCount) {
        this.wish = wish;
        this.subscriptionId = subscriptionId;
        this.isLive = isLive;
        startSequences = new long[shardCount];
        endSequences = new long[shardCount];
        Arrays.fill(startSequences, UNKNOWN);
        Arrays.fill(endSequences, UNKNOWN);
    }

    /**
     * What a reader wants of the log.
     *
     * @param topic     a name, or a regular expression.
     * @param isPattern whether it is one.
     * @param valueMin  of the field {@code v}; 0 for all messages.
     */
    record Wish(String topic, boolean isPattern, int valueMin) {
        private static final String VALUE = "\"v\":";

        boolean matches(final String of, final String message) {
            return (isPattern ? of.matches(topic) : of.equals(topic)) && (valueMin == 0 || value(message) >= valueMin);
        }

        private static int value(final String message) {
            final int at = message.indexOf(VALUE);
            int value = 0;
            for (int i = at + VALUE.length(); at >= 0 && Character.isDigit(message.charAt(i)); i++) {
                value = 10 * value + message.charAt(i) - '0';
            }
            return at < 0 ? -1 : value;
        }
    }

    boolean isRange() {
        return end != LogEnd.NONE;
    }

    /** The sequence after which a shard is asked for, when its bookmark is there. */
    long after(final int shard) {
        return isStartIncluded ? Math.max(1, startSequences[shard]) - 1 : startSequences[shard];
    }

    /** The last sequence that is asked for by a bookmark. */
    long last(final int shard) {
        final long sequence = endSequences[shard];
        return isEndIncluded ? sequence : sequence - 1;
    }

    /** Writes the command. Returns its length. */
    int encode(final MutableDirectBuffer out, final MessageHeaderEncoder header) {
        final SubscribeFromEncoder encoder = new SubscribeFromEncoder();
        encoder.wrapAndApplyHeader(out, 0, header)
                .commandId(commandId)
                .subscriptionId(subscriptionId)
                .startTimeNs(startTimeNs)
                .endTimeNs(endTimeNs)
                .rate(rate)
                .rateMaxGapMs(rateUnit == RateUnit.SPEED ? 1 : 0)
                .rateUnit(rateUnit)
                .start(start)
                .end(end)
                .ifMissing(ifMissing);
        encoder.options()
                .clear()
                .topicPattern(wish.isPattern)
                .live(isLive)
                .startIncluded(isStartIncluded)
                .endIncluded(isEndIncluded);
        encoder.ackTypes().clear().processed(true).completed(true);
        encoder.topic(wish.topic)
                .filter(wish.valueMin == 0 ? "" : "v >= " + wish.valueMin)
                .startBookmark(start == LogStart.BOOKMARK ? text(startSequences) : "")
                .endBookmark(end == LogEnd.BOOKMARK ? text(endSequences) : "");
        return encoder.limit();
    }

    private static String text(final long[] sequences) {
        final StringBuilder text = new StringBuilder();
        for (int shard = 0; shard < sequences.length; shard++) {
            if (sequences[shard] != UNKNOWN) {
                text.append(text.isEmpty() ? "" : ",").append(shard).append(':').append(sequences[shard]);
            }
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return wish + (isLive ? " live" : "") + " from " + start + " " + text(startSequences)
                + (isStartIncluded ? " included" : "") + " " + startTimeNs + " to " + end + " " + text(endSequences)
                + (isEndIncluded ? " included" : "") + " " + endTimeNs + " rate " + rate + " " + rateUnit
                + ", if missing " + ifMissing;
    }
}
