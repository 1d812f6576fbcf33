package io.penstock.simulator;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.IfMissing;
import io.penstock.protocol.codec.LogEnd;
import io.penstock.protocol.codec.LogStart;
import io.penstock.protocol.codec.PaceAction;
import io.penstock.protocol.codec.PaceEncoder;
import io.penstock.protocol.codec.RateUnit;
import io.penstock.simulator.Reached.State;
import io.penstock.simulator.ReplayRequest.Wish;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Subscribes from places of the log, to ranges of it and to all that follows, and goes on where it was when it can. */
final class Reader extends SimClient {
    private static final IfMissing[] IF_MISSING = {IfMissing.FAIL, IfMissing.BEGINNING, IfMissing.NOW};
    private static final RateUnit[] RATE_UNITS = {RateUnit.MESSAGES, RateUnit.BYTES, RateUnit.SPEED};
    private static final long[] RATES = {2_000, 400_000, 500};

    private final World world;
    private final Wish wish;
    private final SplittableRandom random;

    /** By shards the last message, or the place it has begun at, of all subscriptions; unknown before. */
    private final long[] last;

    /** Subscriptions that are over, and not compared yet. */
    private final List<Replayed> ended = new ArrayList<>();

    private @Nullable Replayed present;
    private long subscriptionId;
    private boolean isPaused;
    private boolean isRated;
    private long resumeNs;

    /** When some message was taken that has come. */
    private long someTimeNs;

    Reader(final World world, final String name, final Wish wish) {
        super(world.network, name);
        this.world = world;
        this.wish = wish;
        random = network.random;
        last = new long[world.shardCount];
        Arrays.fill(last, ReplayRequest.UNKNOWN);
    }

    /** Subscribes where that is needed, and paces the subscription. */
    void work() {
        final Replayed subscription = present;
        if (!isLoggedOn()) {
            return;
        }
        if (subscription == null) {
            subscribe(network.isCalm() ? goOn() : request());
        } else if (subscription.isBegun()) {
            pace(subscription);
        }
    }

    /** Whether it gets what is new. */
    boolean isFollowing() {
        return present != null && present.isBegun() && !present.request.isRange() && !isPaused && !isRated;
    }

    /** The broker has ended, and the logs were read. */
    void onBrokerEnd(final ModelState state, final List<ModelLog> logs) {
        if (present != null) {
            present.onBrokerEnd(state, logs);
        }
        ended.forEach(subscription -> subscription.onBrokerEnd(state, logs));
        ended.clear();
    }

    /** Whether all that logs have has come. Throws when something else has. */
    boolean isUpTo(final ModelState state, final List<ModelLog> logs) {
        ended.forEach(subscription -> subscription.compare(state, logs));
        ended.clear();
        return present != null && present.isUpTo(state, logs);
    }

    private void subscribe(final ReplayRequest request) {
        request.commandId = newCommandId();
        final Replayed subscription = new Replayed(world, request);
        if (send(request.encode(out, header))) {
            subscriptionId = request.subscriptionId;
            present = subscription;
            isRated = request.rateUnit != RateUnit.NONE;
            isPaused = false;
            reach(request);
        }
    }

    private void reach(final ReplayRequest request) {
        network.reached.add(
                switch (request.start) {
                    case BEGINNING -> State.REPLAY_FROM_BEGINNING;
                    case NOW -> State.REPLAY_FROM_NOW;
                    case TIME -> State.REPLAY_FROM_TIME;
                    default -> State.REPLAY_FROM_BOOKMARK;
                });
        network.reached.add(State.REPLAY_RATED, isRated ? 1 : 0);
        network.reached.add(State.REPLAY_LIVE, request.isLive ? 1 : 0);
        network.reached.add(State.REPLAY_OF_PATTERN, wish.isPattern() ? 1 : 0);
    }

    /** From where it was to all that follows. */
    private ReplayRequest goOn() {
        final ReplayRequest request =
                new ReplayRequest(wish, subscriptionId + 1, random.nextBoolean(), world.shardCount);
        System.arraycopy(last, 0, request.startSequences, 0, last.length);
        request.start = isKnown() ? LogStart.BOOKMARK : LogStart.BEGINNING;
        return request;
    }

    private boolean isKnown() {
        for (final long sequence : last) {
            if (sequence != ReplayRequest.UNKNOWN) {
                return true;
            }
        }
        return false;
    }

    private ReplayRequest request() {
        final ReplayRequest request = goOn();
        switch (random.nextInt(12)) {
            case 0 -> request.start = LogStart.BEGINNING;
            case 1 -> request.start = LogStart.NOW;
            case 2 -> {
                request.start = LogStart.TIME;
                request.startTimeNs = someTimeNs + random.nextInt(3) - 1;
            }
            case 3 -> {
                for (int shard = 0; shard < last.length; shard++) {
                    request.startSequences[shard] = last[shard] <= 0 ? last[shard] : random.nextLong(last[shard] + 1);
                }
            }
            default -> {}
        }
        request.isStartIncluded = request.start == LogStart.BOOKMARK && random.nextInt(4) == 0;
        request.ifMissing = IF_MISSING[random.nextInt(IF_MISSING.length)];
        if (random.nextInt(4) == 0) {
            end(request);
        }
        if (random.nextInt(5) == 0) {
            final int unit = random.nextInt(RATE_UNITS.length);
            request.rateUnit = RATE_UNITS[unit];
            request.rate = RATES[unit] + random.nextLong(4 * RATES[unit]);
        }
        return request;
    }

    private void end(final ReplayRequest request) {
        switch (random.nextInt(3)) {
            case 0 -> request.end = LogEnd.NOW;
            case 1 -> {
                request.end = LogEnd.TIME;
                request.endTimeNs = someTimeNs + random.nextInt(2);
            }
            default -> {
                final int shard = random.nextInt(last.length);
                request.end = LogEnd.BOOKMARK;
                request.endSequences[shard] = random.nextLong(world.lastSequence(shard) + 1);
                request.isEndIncluded = random.nextBoolean();
            }
        }
    }

    private void pace(final Replayed subscription) {
        if (isRated && network.isCalm()) {
            isRated = !pace(PaceAction.RATE);
        }
        if (isPaused && (network.isCalm() || network.clock.nanoTime() >= resumeNs)) {
            isPaused = !pace(PaceAction.RESUME);
        } else if (!isPaused && !network.isCalm() && random.nextInt(400) == 0 && pace(PaceAction.PAUSE)) {
            isPaused = true;
            resumeNs = network.clock.nanoTime() + random.nextLong(100_000_000);
            network.reached.add(State.REPLAY_PAUSED);
        } else if (!network.isCalm() && random.nextInt(600) == 0) {
            hangUp();
        }
        if (isRated) {
            subscription.checkRate();
        }
    }

    private boolean pace(final PaceAction action) {
        final PaceEncoder encoder = new PaceEncoder();
        encoder.wrapAndApplyHeader(out, 0, header)
                .commandId(newCommandId())
                .subscriptionId(subscriptionId)
                .rate(0)
                .rateMaxGapMs(0)
                .rateUnit(RateUnit.NONE)
                .action(action);
        encoder.ackTypes().clear();
        return send(encoder.encodedLength() + header.encodedLength());
    }

    private void end() {
        if (present != null) {
            ended.add(present);
            present = null;
        }
    }

    @Override
    void onLogon() {}

    @Override
    void onDisconnect() {
        end();
    }

    @Override
    void onReplayBegin(final long commandId, final long id, final int shard, final long sequence) {
        final Replayed subscription = of(id);
        if (commandId != subscription.request.commandId) {
            throw new Violation(name + ": begins for command " + commandId);
        }
        subscription.onBegin(shard, sequence);
        if (shard < last.length) {
            last[shard] = sequence;
        }
    }

    private Replayed of(final long id) {
        final Replayed subscription = present;
        if (subscription == null || id != subscription.request.subscriptionId) {
            throw new Violation(name + ": something comes for subscription " + id + ", but there is " + subscription);
        }
        return subscription;
    }

    @Override
    void onAck(final AckType type, final long commandId) {
        final Replayed subscription = present;
        if (type == AckType.COMPLETED && subscription != null && commandId == subscription.request.commandId) {
            subscription.onCompleted();
            network.reached.add(State.REPLAY_COMPLETED);
            if (subscription.request.isRange()) {
                network.reached.add(State.REPLAY_OF_RANGE);
                end();
            }
        }
    }

    @Override
    void onError(final ErrorCode code, final long commandId, final long id) {
        if (code == ErrorCode.UNKNOWN_SUBSCRIPTION && (present == null || present.request.subscriptionId != id)) {
            // It was over before it was paced.
            return;
        }
        final Replayed subscription = of(id);
        switch (code) {
            case BOOKMARK_NOT_FOUND -> onNotFound(subscription);
            case BAD_QUERY -> {
                subscription.onReversed();
                network.reached.add(State.RANGE_REVERSED);
            }
            case FELL_BEHIND -> onFellBehind(subscription);
            default -> throw new Violation(name + ": " + code + " for " + subscription);
        }
        end();
    }

    /** A pattern may fit topics that only memory has, and nobody knows whether one of those was in what memory lost. */
    private void onFellBehind(final Replayed subscription) {
        if (!wish.isPattern()) {
            throw new Violation(name + ": falls behind what is in files: " + subscription);
        }
        network.reached.add(State.REPLAY_FELL_BEHIND);
    }

    private void onNotFound(final Replayed subscription) {
        if (subscription.isBegun()) {
            subscription.onGone();
            network.reached.add(State.REPLAY_OVERTAKEN);
        } else {
            subscription.onNotFound();
            network.reached.add(State.BOOKMARK_NOT_FOUND);
            Arrays.fill(last, ReplayRequest.UNKNOWN);
        }
    }

    @Override
    void onDelivery(final Delivery delivery) {
        of(delivery.subscriptionId()).onDelivery(delivery);
        last[delivery.shard()] = delivery.sequence();
        if (someTimeNs == 0 || random.nextInt(64) == 0) {
            someTimeNs = delivery.timestampNs();
        }
    }

    @Override
    public String toString() {
        return name + " with " + present + (isPaused ? ", paused" : "") + (isRated ? ", rated" : "");
    }
}
