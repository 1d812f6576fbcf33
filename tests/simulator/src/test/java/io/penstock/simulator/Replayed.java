package io.penstock.simulator;

import io.penstock.protocol.codec.IfMissing;
import io.penstock.protocol.codec.LogStart;
import io.penstock.protocol.codec.RateUnit;
import io.penstock.simulator.Reached.State;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * What has come of one subscription from a place of the log. It is compared with the log later, when that is read: all
 * that matches has to have come, in order, each once.
 */
final class Replayed {
    private static final long RATE_SLACK = 32;

    final ReplayRequest request;
    private final World world;

    /** The broker's run that it was asked of. */
    private final int run;

    private final long sentNs;
    private final Part[] parts;
    private int begunCount;
    private long count;
    private boolean isCompleted;
    private boolean isEnded;

    /** What has come of one shard. */
    private static final class Part {
        private final ArrayDeque<SimClient.Delivery> delivered = new ArrayDeque<>();
        private boolean isBegun;

        /** Bounds of the log when it was asked for: before the broker got the command. */
        private long firstBefore;

        private long newestBefore;

        /** When it began at the latest. */
        private long newestAfter = Long.MAX_VALUE;

        /** Up to which all that has come was compared. */
        private long checked;

        /** After which it began. */
        private long begin;

        /** The last that has come, or after which it began. */
        private long last;

        /** The last that had come when all that was asked for had. */
        private long lastAtCompleted = Long.MAX_VALUE;

        /** What came after it was lost by the broker's end, before it was on stable storage. */
        private long lost = Long.MAX_VALUE;
    }

    Replayed(final World world, final ReplayRequest request) {
        this.world = world;
        this.request = request;
        run = world.run;
        sentNs = world.clock.nanoTime();
        parts = new Part[world.shardCount];
        for (int shard = 0; shard < parts.length; shard++) {
            parts[shard] = new Part();
            parts[shard].firstBefore = world.logs.firstSequence(shard);
            parts[shard].newestBefore = world.lastSequence(shard);
        }
    }

    /** Where it begins in a shard. Shards beyond those with files have nothing that it wants. */
    void onBegin(final int shard, final long after) {
        begunCount++;
        if (shard >= parts.length) {
            return;
        }
        final Part part = parts[shard];
        if (part.isBegun) {
            throw new Violation(this + ": begins twice in shard " + shard);
        }
        part.isBegun = true;
        part.begin = after;
        part.checked = after;
        part.last = after;
        if (run == world.run) {
            part.newestAfter = world.lastSequence(shard);
            checkBegin(shard, part, after);
        }
    }

    private void checkBegin(final int shard, final Part part, final long after) {
        final boolean isBookmark =
                request.start == LogStart.BOOKMARK && request.startSequences[shard] != ReplayRequest.UNKNOWN;
        final boolean isRight;
        if (request.start == LogStart.NOW) {
            isRight = isNow(part, after);
        } else if (!isBookmark) {
            isRight = request.start == LogStart.TIME || isFirst(shard, part, after);
        } else {
            isRight = switch (bookmark(shard, part)) {
                case THERE -> after == request.after(shard);
                case MISSING -> isInstead(shard, part, after);
                case PERHAPS -> after == request.after(shard) || isInstead(shard, part, after);
            };
        }
        if (!isRight) {
            throw new Violation(this + ": begins in shard " + shard + " after " + after + log());
        }
    }

    /** What the log had when it was asked for, and what it has. */
    private String log() {
        final StringBuilder text = new StringBuilder();
        for (int shard = 0; shard < parts.length; shard++) {
            text.append("; shard ").append(shard).append(" had ").append(parts[shard].firstBefore);
            text.append(" to ").append(parts[shard].newestBefore).append(", and has ");
            text.append(world.logs.firstSequence(shard)).append(" to ").append(world.lastSequence(shard));
        }
        return text.toString();
    }

    private boolean isInstead(final int shard, final Part part, final long after) {
        return switch (request.ifMissing) {
            case BEGINNING -> isFirst(shard, part, after);
            case NOW -> isNow(part, after);
            default -> false;
        };
    }

    private static boolean isNow(final Part part, final long after) {
        return after >= part.newestBefore && after <= part.newestAfter;
    }

    private boolean isFirst(final int shard, final Part part, final long after) {
        return after + 1 >= part.firstBefore && after + 1 <= world.logs.firstSequenceMax(shard);
    }

    private enum Presence {
        THERE,
        MISSING,
        PERHAPS
    }

    /** Whether the log has a bookmark's place, as far as that is known. */
    private Presence bookmark(final int shard, final Part part) {
        final long next = request.after(shard) + 1;
        final long sequence = request.startSequences[shard];
        final long newest = part.isBegun ? part.newestAfter : world.lastSequence(shard);
        if (sequence > newest || next < part.firstBefore) {
            return Presence.MISSING;
        }
        return sequence <= part.newestBefore && next >= world.logs.firstSequenceMax(shard)
                ? Presence.THERE
                : Presence.PERHAPS;
    }

    /** The broker says that a bookmark is not in its log. */
    void onNotFound() {
        boolean mayBe = run != world.run;
        for (int shard = 0; shard < parts.length; shard++) {
            mayBe |= request.startSequences[shard] != ReplayRequest.UNKNOWN
                    && request.start == LogStart.BOOKMARK
                    && request.ifMissing == IfMissing.FAIL
                    && bookmark(shard, parts[shard]) != Presence.THERE;
            mayBe |= request.endSequences[shard] != ReplayRequest.UNKNOWN
                    && request.endSequences[shard] + 1 < world.logs.firstSequenceMax(shard);
        }
        if (!mayBe) {
            throw new Violation(this + ": its bookmark is not found" + log());
        }
    }

    /** The broker says that a record was removed before it was read. */
    void onGone() {
        boolean mayBe = run != world.run;
        for (int shard = 0; shard < parts.length; shard++) {
            mayBe |= parts[shard].isBegun && parts[shard].last + 1 < world.logs.firstSequenceMax(shard);
        }
        if (!mayBe) {
            throw new Violation(this + ": a record is gone" + log());
        }
    }

    /** The broker says that its end is before its start. */
    void onReversed() {
        final boolean mayBe = switch (request.end) {
            case BOOKMARK -> isEndBeforeStart();
            case TIME ->
                request.start == LogStart.NOW
                        || (request.start == LogStart.TIME && request.endTimeNs < request.startTimeNs);
            case NOW -> request.start == LogStart.TIME && request.startTimeNs > sentNs;
            default -> false;
        };
        if (!mayBe) {
            throw new Violation(this + ": it is said to be reversed" + log());
        }
    }

    private boolean isEndBeforeStart() {
        boolean isBefore = false;
        for (int shard = 0; shard < parts.length; shard++) {
            final long end = request.endSequences[shard];
            final long start = switch (request.start) {
                case NOW -> world.lastSequence(shard);
                case BOOKMARK ->
                    bookmark(shard, parts[shard]) == Presence.THERE
                            ? request.startSequences[shard]
                            : Math.max(request.startSequences[shard], world.lastSequence(shard));
                default -> 0;
            };
            isBefore |= end != ReplayRequest.UNKNOWN && end < start;
        }
        return isBefore || run != world.run;
    }

    boolean isBegun() {
        return begunCount > 0;
    }

    boolean isCompleted() {
        return isCompleted;
    }

    /** The last sequence of a shard that has come, or after which it began; unknown before. */
    long last(final int shard) {
        return parts[shard].isBegun ? parts[shard].last : ReplayRequest.UNKNOWN;
    }

    void onDelivery(final SimClient.Delivery delivery) {
        if (delivery.shard() >= parts.length) {
            throw new Violation(this + ": came from a shard without files: " + delivery);
        }
        final Part part = parts[delivery.shard()];
        if (!part.isBegun || isEnded) {
            throw new Violation(this + ": came before the beginning or after the end: " + delivery);
        }
        if (delivery.sequence() <= part.last) {
            throw new Violation(this + ": " + delivery + " after " + part.last);
        }
        part.last = delivery.sequence();
        part.delivered.add(delivery);
        count++;
    }

    /** Checks that not more has come than a rate lets pass. */
    void checkRate() {
        final long elapsedNs = world.clock.nanoTime() - sentNs;
        if (request.rateUnit == RateUnit.MESSAGES
                && count > parts.length * (RATE_SLACK + request.rate * elapsedNs / 1_000_000_000)) {
            throw new Violation(this + ": " + count + " messages in " + elapsedNs + " ns");
        }
    }

    /** All that was asked for has come. */
    void onCompleted() {
        if (isCompleted) {
            throw new Violation(this + ": completed twice");
        }
        isCompleted = true;
        isEnded = request.isRange();
        for (final Part part : parts) {
            part.lastAtCompleted = part.last;
        }
    }

    /** The broker has ended: what is not in its files is lost, and only live messages may have come of that. */
    void onBrokerEnd(final ModelState state, final List<ModelLog> logs) {
        for (int shard = 0; shard < parts.length; shard++) {
            if (request.isLive) {
                parts[shard].lost = Math.min(parts[shard].lost, logs.get(shard).lastSequence());
            }
        }
        compare(state, logs);
    }

    /** Compares what has come since the last time with what logs have. */
    void compare(final ModelState state, final List<ModelLog> logs) {
        for (int shard = 0; shard < parts.length; shard++) {
            final Part part = parts[shard];
            while (!part.delivered.isEmpty()) {
                final SimClient.Delivery delivery = part.delivered.remove();
                if (delivery.sequence() > part.lost) {
                    world.reached.add(State.LIVE_MESSAGE_LOST);
                    continue;
                }
                compare(state, shard, part, logs.get(shard), delivery);
            }
            checkTime(shard, part, logs.get(shard));
            if (isCompleted) {
                checkCompleted(state, shard, part, logs.get(shard));
            }
        }
    }

    /** The record after which it begins was taken before the requested time, or no longer exists. */
    private void checkTime(final int shard, final Part part, final ModelLog log) {
        final ModelLog.Entry entry = part.isBegun ? log.entry(part.begin) : null;
        if (request.start == LogStart.TIME
                && entry != null
                && part.begin + 1 > world.logs.firstSequenceMax(shard)
                && entry.timestampNs() >= request.startTimeNs) {
            throw new Violation(this + ": begins too late in shard " + shard + ", after " + entry);
        }
    }

    /** What there was when it was asked for has come before the word that it has. */
    private void checkCompleted(final ModelState state, final int shard, final Part part, final ModelLog log) {
        final long missed = next(state, shard, part, log, part.newestBefore);
        if (part.isBegun && missed != 0) {
            throw new Violation(this + ": completed, and " + shard + ":" + missed + " has not come");
        }
    }

    private void compare(
            final ModelState state,
            final int shard,
            final Part part,
            final ModelLog log,
            final SimClient.Delivery delivery) {
        final long missed = next(state, shard, part, log, delivery.sequence() - 1);
        if (missed != 0) {
            throw new Violation(this + ": " + shard + ":" + missed + " has not come before " + delivery);
        }
        final ModelLog.Entry entry = log.entry(delivery.sequence());
        if (entry == null
                || !isWanted(state, shard, part, entry)
                || !delivery.topic().equals(state.topic(shard, entry.topicId()))
                || !delivery.text().equals(entry.message())
                || delivery.publisherSequence() != entry.publisherSequence()) {
            throw new Violation(this + ": came " + delivery + ", there is " + entry);
        }
        if (delivery.sequence() > part.lastAtCompleted && delivery.sequence() <= part.newestBefore) {
            throw new Violation(this + ": completed before " + delivery);
        }
        part.checked = delivery.sequence();
        world.reached.add(State.REPLAY_COMPARED);
    }

    /** The first sequence behind what was compared, up to a limit, that has to come; 0 when there is none. */
    private long next(final ModelState state, final int shard, final Part part, final ModelLog log, final long limit) {
        final long end = Math.min(limit, part.lost);
        for (long sequence = part.checked + 1; sequence <= end; sequence++) {
            final ModelLog.Entry entry = log.entry(sequence);
            if (entry == null) {
                return 0;
            }
            if (isWanted(state, shard, part, entry)) {
                return sequence;
            }
            part.checked = sequence;
        }
        return 0;
    }

    private boolean isWanted(final ModelState state, final int shard, final Part part, final ModelLog.Entry entry) {
        return entry.type() == ModelLog.TYPE_MESSAGE
                && (request.start != LogStart.TIME || entry.timestampNs() >= request.startTimeNs)
                && isBeforeEnd(shard, part, entry)
                && request.wish.matches(state.topic(shard, entry.topicId()), entry.message());
    }

    private boolean isBeforeEnd(final int shard, final Part part, final ModelLog.Entry entry) {
        return switch (request.end) {
            case BOOKMARK ->
                request.endSequences[shard] == ReplayRequest.UNKNOWN
                        ? entry.sequence() <= part.newestAfter
                        : entry.sequence() <= request.last(shard);
            case TIME -> entry.timestampNs() < request.endTimeNs;
            case NOW -> entry.sequence() <= part.newestAfter;
            default -> true;
        };
    }

    /** Whether all that logs have has come. */
    boolean isUpTo(final ModelState state, final List<ModelLog> logs) {
        compare(state, logs);
        boolean isUpTo = true;
        for (int shard = 0; shard < parts.length; shard++) {
            final ModelLog log = logs.get(shard);
            isUpTo &= !parts[shard].isBegun || next(state, shard, parts[shard], log, log.lastSequence()) == 0;
        }
        return isUpTo;
    }

    @Override
    public String toString() {
        return request
                + Arrays.toString(Arrays.stream(parts)
                        .map(part -> part.isBegun ? part.last : ReplayRequest.UNKNOWN)
                        .toArray());
    }
}
