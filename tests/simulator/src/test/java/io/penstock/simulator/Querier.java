package io.penstock.simulator;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.SowAsOf;
import io.penstock.protocol.codec.SowEncoder;
import io.penstock.simulator.Reached.State;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Asks for the state of topics. */
final class Querier extends SimClient {
    private final Map<String, Map<String, String>> answer = new TreeMap<>();
    private final Map<Integer, Long> durableSequences = new HashMap<>();
    private String topic = "";
    private boolean isDurable;
    private long queryId;
    private boolean isDone = true;

    Querier(final SimNetwork network, final String name) {
        super(network, name);
    }

    /** Asks for all records of a topic, unless another question waits for its answer. */
    boolean ask(final String of) {
        return ask(of, false);
    }

    /** The same; a durable answer shows nothing that may be lost. */
    boolean ask(final String of, final boolean durable) {
        if (!isDone || !isLoggedOn()) {
            return false;
        }
        topic = of;
        isDurable = durable;
        final SowEncoder encoder = new SowEncoder();
        encoder.wrapAndApplyHeader(out, 0, header)
                .commandId(newCommandId())
                .queryId(++queryId)
                .topN(-1)
                .skipN(0)
                .batchSize(0)
                .timeoutMs(0)
                .progressMs(0)
                .asOfTimeNs(0)
                .asOf(SowAsOf.NOW);
        encoder.options().clear().durable(durable);
        encoder.ackTypes().clear();
        encoder.topic(of)
                .filter("")
                .orderBy("")
                .selection("")
                .groupBy("")
                .having("")
                .keys("")
                .asOfBookmark("");
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
        if (isDurable) {
            network.reached.add(State.DURABLE_ANSWER);
            durableSequences.merge(shard, sequence, Math::max);
        }
    }

    @Override
    void onGroupEnd(final long id, final long returned) {
        isDone = true;
        if (returned != answer.size()) {
            throw new Violation(name + ": was sent " + answer.size() + " records, and told " + returned);
        }
    }

    @Override
    void onDelivery(final Delivery delivery) {
        final Map<String, String> record = Json.parse(delivery.text());
        final String key = switch (topic) {
            case Topics.EXPIRING -> delivery.key();
            case Topics.VIEW -> record.getOrDefault("g", "");
            default -> record.getOrDefault("id", "");
        };
        if (answer.put(key, record) != null) {
            throw new Violation(name + ": the record of " + key + " twice");
        }
    }
}
