package io.penstock.simulator;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.SowAsOf;
import io.penstock.protocol.codec.SowEncoder;
import io.penstock.simulator.Reached.State;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Asks for the state of topics. */
final class Querier extends SimClient {
    private final Map<String, Map<String, String>> answer = new TreeMap<>();
    private final Map<Integer, Long> durableSequences = new HashMap<>();
    private String topic = "";
    private boolean isDurable;

    /** What state as it was is asked for; null for state as it is. */
    private @Nullable Past past;

    /** How often the disk had been mended when that was asked: an answer may be late. */
    private int mendedCount;

    /** The last record that counts, as the answer says; -1 while there is none. */
    private long shownSequence;

    private final World world;
    private long queryId;
    private boolean isDone = true;

    Querier(final World world, final String name) {
        super(world.network, name);
        this.world = world;
    }

    /** Asks for all records of a topic, unless another question waits for its answer. */
    boolean ask(final String of) {
        return ask(of, false);
    }

    /** The same; a durable answer shows nothing that may be lost. */
    boolean ask(final String of, final boolean durable) {
        return ask(of, durable, null);
    }

    /** Asks for all records as they were, and compares them with what the log says. */
    boolean ask(final Past of) {
        return ask(of.topic(), false, of);
    }

    private boolean ask(final String of, final boolean durable, final @Nullable Past as) {
        if (!isDone || !isLoggedOn()) {
            return false;
        }
        topic = of;
        isDurable = durable;
        past = as;
        mendedCount = world.disk.mendedCount();
        shownSequence = -1;
        answer.clear();
        final SowEncoder encoder = new SowEncoder();
        encoder.wrapAndApplyHeader(out, 0, header)
                .commandId(newCommandId())
                .queryId(++queryId)
                .topN(-1)
                .skipN(0)
                .batchSize(0)
                .timeoutMs(0)
                .progressMs(0)
                .asOfTimeNs(as == null ? 0 : as.timeNs())
                .asOf(as == null ? SowAsOf.NOW : as.timeNs() == 0 ? SowAsOf.BOOKMARK : SowAsOf.TIME);
        encoder.options().clear().durable(durable);
        encoder.ackTypes().clear();
        encoder.topic(of)
                .filter("")
                .orderBy("")
                .selection("")
                .groupBy("")
                .having("")
                .keys("")
                .asOfBookmark(as == null ? "" : as.bookmark())
                .join("");
        isDone = !send(encoder.limit());
        return !isDone;
    }

    boolean isDone() {
        return isDone;
    }

    /** The newest record of a shard that durable answers have shown; 0 for none. */
    long durableSequence(final int shard) {
        return durableSequences.getOrDefault(shard, 0L);
    }

    /** The last answer's records by their keys. */
    Map<String, Map<String, String>> answer() {
        return answer;
    }

    @Override
    void onLogon() {}

    @Override
    void onDisconnect() {
        isDone = true;
    }

    @Override
    void onAck(final AckType type, final long commandId) {}

    @Override
    void onError(final ErrorCode code, final long commandId, final long subscriptionId) {
        final Past asked = past;
        if (asked != null) {
            onPastError(asked, code);
            return;
        }
        final boolean isFailed = isDurable && code == ErrorCode.JOURNAL_FAILED;
        network.reached.add(State.DURABLE_ANSWER_FAILED, isFailed ? 1 : 0);
        if (!isFailed && code != ErrorCode.SNAPSHOT_TOO_OLD && code != ErrorCode.QUERY_CANCELLED) {
            throw new Violation(name + ": " + code);
        }
        isDone = true;
    }

    @Override
    void onGroupBegin(final long commandId, final long id, final int shard, final long sequence) {
        answer.clear();
        shownSequence = sequence;
        if (isDurable) {
            network.reached.add(State.DURABLE_ANSWER);
            durableSequences.merge(shard, sequence, Math::max);
        }
    }

    @Override
    void onGroupEnd(final long id, final long returned) {
        isDone = true;
        if (returned != answer.size()) {
            throw new Violation(name + ": was sent " + answer.size() + " records, and the count was " + returned);
        }
        final Past asked = past;
        if (asked != null) {
            compare(asked);
        }
    }

    /** What was there before files were removed need not be known any more; nor anything after the disk failed meanwhile. */
    private void onPastError(final Past asked, final ErrorCode code) {
        isDone = true;
        final boolean mayBe = switch (code) {
            case BOOKMARK_NOT_FOUND -> !world.isWithinReach(asked);
            case JOURNAL_FAILED ->
                world.disk.hasFailed() || world.disk.mendedCount() > mendedCount || !world.isWithinReach(asked);
            default -> false;
        };
        if (!mayBe) {
            throw new Violation(name + ": " + code + " for " + asked);
        }
        network.reached.add(State.PAST_NOT_FOUND, code == ErrorCode.BOOKMARK_NOT_FOUND ? 1 : 0);
    }

    private void compare(final Past asked) {
        final Map<String, Map<String, String>> expected = asked.expected();
        if (shownSequence != asked.sequence() || !answer.equals(expected)) {
            throw new Violation(name + ": " + asked + " is answered as of " + shownSequence + " with " + answer
                    + "\nthere was " + expected);
        }
        network.reached.add(State.PAST_COMPARED);
        network.reached.add(State.PAST_AT_TIME, asked.timeNs() == 0 ? 0 : 1);
    }

    @Override
    void onDelivery(final Delivery delivery) {
        final Map<String, String> record = Json.parse(delivery.text());
        final String key = Topics.key(topic, delivery.key(), record);
        if (answer.put(key, record) != null) {
            throw new Violation(name + ": the record of " + key + " twice");
        }
    }
}
