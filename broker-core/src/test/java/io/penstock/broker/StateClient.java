package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.client.AckType;
import io.penstock.client.BrokerError;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientSession;
import io.penstock.client.RecordKind;
import io.penstock.client.SessionListener;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Topic;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A client of topics with state that the test's own thread drives together with the broker, and that keeps all. */
class StateClient implements SessionListener, AutoCloseable {
    final ClientSession session;
    final List<Delivery> deliveries = new ArrayList<>();
    final List<String> groups = new ArrayList<>();
    final List<BrokerError> errors = new ArrayList<>();
    final Map<Long, AckType> acks = new HashMap<>();
    final Map<Long, Long> returned = new HashMap<>();
    final TestBroker broker;
    private boolean on;

    /** Refuses what comes as long as it is set. */
    boolean paused;

    record Delivery(long id, RecordKind kind, long sequence, String text, String key) {
        @Override
        public String toString() {
            return id + " " + kind + " " + text + (key.isEmpty() ? "" : " @" + key);
        }
    }

    StateClient(final TestBroker broker) {
        this(broker, "");
    }

    StateClient(final TestBroker broker, final String user) {
        this.broker = broker;
        session = ClientSession.open(
                ClientConfig.builder(broker.broker.endpoints().get(0).toString())
                        .credentials(user, "")
                        .nanoClock(broker.clock)
                        .build(),
                this);
        session.connect();
        broker.stateClients.add(this);
        broker.await(() -> on);
    }

    /** Offers a command until it is taken. */
    long offer(final LongSupplier command) {
        long commandId;
        while ((commandId = command.getAsLong()) < 0) {
            broker.cycle();
        }
        return commandId;
    }

    void declare(final String topic, final String key, final long expirationMs) {
        await(offer(() -> session.offerDeclareTopic(new Topic(topic, "json", key, expirationMs))));
    }

    void publish(final String topic, final String text) {
        final UnsafeBuffer name = new UnsafeBuffer(topic.getBytes(UTF_8));
        final UnsafeBuffer payload = new UnsafeBuffer(text.getBytes(UTF_8));
        offer(() -> session.offerPublish(name, 0, name.capacity(), payload, 0, payload.capacity(), 0, 0));
    }

    /** Publishes, and returns the number of the command. */
    long publish(
            final String topic, final String key, final String text, final boolean delta, final long expirationMs) {
        final UnsafeBuffer name = new UnsafeBuffer(topic.getBytes(UTF_8));
        final UnsafeBuffer keyBytes = new UnsafeBuffer(key.getBytes(UTF_8));
        final UnsafeBuffer payload = new UnsafeBuffer(text.getBytes(UTF_8));
        return offer(() -> session.offerPublishState(
                name,
                0,
                name.capacity(),
                keyBytes,
                0,
                keyBytes.capacity(),
                payload,
                0,
                payload.capacity(),
                delta,
                expirationMs,
                0,
                0));
    }

    void delta(final String topic, final String text) {
        publish(topic, "", text, true, 0);
    }

    /** Queries, and returns the records. */
    List<String> sow(final SowRequest request) {
        final int from = deliveries.size();
        await(offer(() -> session.offerSow(1_000_000 + from, request)));
        return deliveries.subList(from, deliveries.size()).stream()
                .map(Delivery::text)
                .toList();
    }

    void subscribe(final long id, final SubscribeRequest request) {
        await(offer(() -> session.offerSubscribe(id, request)));
    }

    void replace(final long id, final SubscribeRequest request) {
        await(offer(() -> session.offerReplace(id, request)));
    }

    /** Deletes, and returns how many records were. */
    long delete(final String topic, final String filter, final String... keys) {
        final long commandId = offer(() -> session.offerSowDelete(topic, filter, List.of(keys)));
        await(commandId);
        return returned.getOrDefault(commandId, -1L);
    }

    /** Lets the broker do what was asked so far. */
    void flush() {
        await(offer(session::offerFlush));
    }

    private void await(final long commandId) {
        broker.await(() -> acks.containsKey(commandId)
                || errors.stream().anyMatch(error -> error.commandId() == commandId)
                || session.state() != ClientSession.State.LOGGED_ON);
    }

    /** What has come since the last call, as texts. */
    List<String> take() {
        broker.settle();
        final List<String> texts = deliveries.stream().map(Delivery::toString).toList();
        deliveries.clear();
        return texts;
    }

    @Nullable
    BrokerError lastError() {
        return errors.isEmpty() ? null : errors.get(errors.size() - 1);
    }

    int poll() {
        return session.poll();
    }

    @Override
    public void onLogon() {
        on = true;
    }

    @Override
    public boolean onMessage(
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length) {
        return onRecord(
                RecordKind.MESSAGE, subscriptionId, topic, shard, sequence, timestampNs, buffer, offset, length, 0);
    }

    @Override
    public boolean onRecord(
            final RecordKind kind,
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int keyLength) {
        if (paused) {
            return false;
        }
        deliveries.add(new Delivery(
                subscriptionId,
                kind,
                sequence,
                buffer.getStringWithoutLengthUtf8(offset, length),
                buffer.getStringWithoutLengthUtf8(offset + length, keyLength)));
        return true;
    }

    @Override
    public void onGroupBegin(
            final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
        groups.add("begin " + queryId + " " + topic + " " + shard + ":" + sequence);
    }

    @Override
    public void onGroupEnd(
            final long commandId,
            final long queryId,
            final long topicMatches,
            final long matches,
            final long returnedCount) {
        groups.add("end " + queryId + " " + topicMatches + "/" + matches + "/" + returnedCount);
    }

    @Override
    public void onAck(
            final AckType type, final long commandId, final long publisherSequence, final long returnedCount) {
        acks.put(commandId, type);
        returned.put(commandId, returnedCount);
    }

    @Override
    public void onError(final BrokerError error) {
        errors.add(error);
    }

    @Override
    public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        throw new AssertionError(reason);
    }

    @Override
    public void close() {
        broker.stateClients.remove(this);
        session.close();
    }
}
