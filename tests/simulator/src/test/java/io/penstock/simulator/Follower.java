package io.penstock.simulator;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.DeliveryKind;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.simulator.Reached.State;
import java.util.Map;
import java.util.TreeMap;

/** Keeps a copy of a topic's state by the changes that it gets. */
final class Follower extends SimClient {
    private final String topic;
    private final int valueMin;
    private final boolean withDeltas;
    private Map<String, Map<String, String>> copy = new TreeMap<>();
    private long subscriptionId;
    private boolean isSubscribed;
    private boolean isWhole;

    /**
     * @param valueMin of the records that it wants; 0 for all of them.
     */
    Follower(
            final SimNetwork network,
            final String name,
            final String topic,
            final int valueMin,
            final boolean withDeltas) {
        super(network, name);
        this.topic = topic;
        this.valueMin = valueMin;
        this.withDeltas = withDeltas;
    }

    /** Subscribes where that is needed. */
    void work() {
        if (isLoggedOn() && !isSubscribed) {
            final SubscribeEncoder encoder = new SubscribeEncoder();
            encoder.wrapAndApplyHeader(out, 0, header)
                    .commandId(newCommandId())
                    .subscriptionId(++subscriptionId)
                    .conflationMs(0)
                    .topN(-1)
                    .skipN(0)
                    .batchSize(0);
            encoder.options().clear().sow(true).oof(true).delta(withDeltas);
            encoder.ackTypes().clear();
            encoder.topic(topic)
                    .filter(valueMin == 0 ? "" : "v >= " + valueMin)
                    .orderBy("")
                    .selection("")
                    .conflationKey("");
            isSubscribed = send(encoder.limit());
            isWhole = false;
        }
    }

    /** Whether it has been sent all of the state. */
    boolean isWhole() {
        return isSubscribed && isWhole;
    }

    /** Compares the copy with the state; all changes have been delivered. */
    void compare(final ModelState state) {
        if (!isSubscribed || !isWhole) {
            throw new Violation(name + ": was not sent the state of " + topic);
        }
        final Map<String, Map<String, String>> expected = new TreeMap<>(state.records(topic));
        expected.values().removeIf(record -> !matches(record));
        network.reached.add(State.FOLLOWER_COMPARED);
        if (!copy.equals(expected)) {
            throw new Violation(name + " has of " + topic + ": " + copy + "\nthere is " + expected);
        }
    }

    private boolean matches(final Map<String, String> record) {
        return valueMin == 0 || Long.parseLong(record.getOrDefault("v", "-1")) >= valueMin;
    }

    @Override
    void onLogon() {}

    @Override
    void onDisconnect() {
        isSubscribed = false;
        isWhole = false;
    }

    @Override
    void onAck(final AckType type, final long commandId) {}

    @Override
    void onError(final ErrorCode code, final long commandId, final long id) {
        if (code != ErrorCode.FELL_BEHIND) {
            throw new Violation(name + ": " + code);
        }
        network.reached.add(State.FELL_BEHIND);
        if (id == subscriptionId) {
            isSubscribed = false;
        }
    }

    @Override
    void onGroupBegin(final long commandId, final long queryId, final int shard, final long sequence) {
        if (queryId == subscriptionId) {
            if (commandId == 0) {
                network.reached.add(State.STATE_SENT_AGAIN);
            }
            copy = new TreeMap<>();
            isWhole = false;
        }
    }

    @Override
    void onGroupEnd(final long queryId, final long returned) {
        if (queryId == subscriptionId) {
            isWhole = true;
            if (returned != copy.size()) {
                throw new Violation(name + ": was sent " + copy.size() + " records, and the count was " + returned);
            }
        }
    }

    @Override
    void onDelivery(final Delivery delivery) {
        if (delivery.subscriptionId() != subscriptionId) {
            return;
        }
        final Map<String, String> record = Json.parse(delivery.text());
        final String key = key(delivery, record);
        final DeliveryKind kind = delivery.kind();
        final Map<String, String> before = copy.get(key);
        switch (kind) {
            case SOW, PUBLISH -> {
                if (kind == DeliveryKind.SOW && before != null) {
                    throw new Violation(name + ": was sent the record of " + key + " twice");
                }
                copy.put(key, record);
            }
            case DELTA -> {
                if (before == null) {
                    throw new Violation(name + ": a delta for what it was never sent: " + record);
                }
                final Map<String, String> merged = Json.merge(before, record);
                merged.values().removeIf("null"::equals);
                copy.put(key, merged);
            }
            default -> {
                network.reached.add(State.OUT_OF_FOCUS);
                if (before == null) {
                    throw new Violation(name + ": out of focus, and never in it: " + record);
                }
                copy.remove(key);
            }
        }
    }

    private String key(final Delivery delivery, final Map<String, String> record) {
        final String key = Topics.key(topic, delivery.key(), record);
        if (key.isEmpty()) {
            throw new Violation(name + ": a record without a key: " + record);
        }
        return key;
    }
}
