package io.penstock.broker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/** A client whose subscriptions and queries are compared with the model. */
final class ModelClient extends StateClient {
    final Map<Long, ModelSubscription> subscriptions = new HashMap<>();
    final Map<Long, ModelQuery> queries = new HashMap<>();
    final Map<Long, ModelPattern> patterns = new HashMap<>();
    final Map<Long, BrokerError> refusals = new HashMap<>();

    /** Queries that were given up. */
    final Map<Long, BrokerError> failures = new HashMap<>();

    /** What has come for patterns, to be looked at when the model knows of it. */
    private final List<Runnable> received = new ArrayList<>();

    ModelClient(final TestBroker broker) {
        super(broker);
    }

    /** Looks at what has come for patterns since the last call. */
    void takePatterns() {
        final List<Runnable> taken = List.copyOf(received);
        received.clear();
        taken.forEach(Runnable::run);
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
        final byte[] bytes = new byte[length + keyLength];
        buffer.getBytes(offset, bytes);
        final String text = new String(bytes, 0, length, UTF_8);
        final Delivery delivery =
                new Delivery(subscriptionId, kind, sequence, text, new String(bytes, length, keyLength, ISO_8859_1));
        final ModelSubscription subscription = subscriptions.get(subscriptionId);
        final ModelQuery query = queries.get(subscriptionId);
        if (subscription != null) {
            subscription.received.add(delivery);
        } else if (query != null) {
            query.rows.add(delivery);
        } else if (patterns.containsKey(subscriptionId)) {
            received.add(() -> patterns.get(subscriptionId).onRecord(topic, shard, delivery));
        }
        return true;
    }

    @Override
    public void onGroupBegin(
            final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
        final ModelSubscription subscription = subscriptions.get(queryId);
        final ModelQuery query = queries.get(queryId);
        if (subscription != null) {
            subscription.received.add(new ModelSubscription.Begin(commandId, sequence));
        } else if (query != null) {
            query.sequence = sequence;
        } else if (patterns.containsKey(queryId)) {
            received.add(() -> patterns.get(queryId).onBegin(commandId, topic, shard, sequence));
        }
    }

    @Override
    public void onGroupEnd(
            final long commandId,
            final long queryId,
            final long topicMatches,
            final long matches,
            final long returnedCount) {
        final ModelSubscription subscription = subscriptions.get(queryId);
        final ModelQuery query = queries.get(queryId);
        if (subscription != null) {
            subscription.received.add(new ModelSubscription.End(commandId, matches, returnedCount));
        } else if (query != null) {
            query.onEnd(topicMatches, matches, returnedCount);
        } else if (patterns.containsKey(queryId)) {
            received.add(() -> patterns.get(queryId).onEnd(returnedCount));
        }
    }

    @Override
    public void onError(final BrokerError error) {
        super.onError(error);
        refusals.put(error.commandId(), error);
        final ModelSubscription subscription = subscriptions.get(error.subscriptionId());
        if (subscription != null) {
            subscription.received.add(error);
        } else if (queries.containsKey(error.subscriptionId())) {
            failures.put(error.subscriptionId(), error);
        } else if (patterns.containsKey(error.subscriptionId())) {
            received.add(() -> patterns.get(error.subscriptionId()).onError(error));
        }
    }
}
