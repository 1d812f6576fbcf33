package io.penstock.simulator;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.SubscribeEncoder;
import io.penstock.simulator.Reached.State;
import java.util.HashMap;
import java.util.Map;

/** Subscribes to a topic without state, and checks that messages come as they were published, in order, each once. */
final class Listener extends SimClient {
    private final String topic;
    private final History history;
    private final Map<String, Long> lastOfPublisher = new HashMap<>();
    private long lastSequence;
    private long subscriptionId;
    private boolean isSubscribed;

    Listener(final SimNetwork network, final String name, final String topic, final History history) {
        super(network, name);
        this.topic = topic;
        this.history = history;
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
            encoder.options().clear();
            encoder.ackTypes().clear();
            encoder.topic(topic).filter("").orderBy("").selection("").conflationKey("");
            isSubscribed = send(encoder.limit());
        }
    }

    boolean isSubscribed() {
        return isSubscribed;
    }

    @Override
    void onLogon() {}

    @Override
    void onDisconnect() {
        isSubscribed = false;
        // What was delivered and not yet on stable storage may come again after a crash, with another sequence.
        lastOfPublisher.clear();
        lastSequence = 0;
    }

    @Override
    void onAck(final AckType type, final long commandId) {}

    @Override
    void onError(final ErrorCode code, final long commandId, final long id) {
        // What was in files may be gone before it is read.
        final boolean isGone = code == ErrorCode.BOOKMARK_NOT_FOUND && topic.equals(Topics.LOG);
        if (code != ErrorCode.FELL_BEHIND && !isGone) {
            throw new Violation(name + ": " + code);
        }
        network.reached.add(isGone ? State.LISTENER_OVERTAKEN : State.FELL_BEHIND);
        if (id == subscriptionId) {
            isSubscribed = false;
        }
    }

    @Override
    void onDelivery(final Delivery delivery) {
        if (delivery.sequence() <= lastSequence) {
            throw new Violation(name + ": sequence " + delivery.sequence() + " after " + lastSequence);
        }
        lastSequence = delivery.sequence();
        final String publisher =
                Json.parse(delivery.text()).getOrDefault("p", "").replace("\"", "");
        final Message message = history.find(publisher, delivery.publisherSequence());
        if (message == null || !message.topic.equals(topic) || !message.text.equals(delivery.text())) {
            throw new Violation(name + ": was never published: " + delivery + ", but " + message);
        }
        final Long last = lastOfPublisher.put(publisher, message.sequence);
        if (last != null && last >= message.sequence) {
            throw new Violation(name + ": " + message + " after " + last);
        }
    }
}
