package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import java.util.HashMap;
import java.util.Map;
import org.agrona.DirectBuffer;

/** A client whose subscriptions and queries are compared with the model. */
final class ModelClient extends StateClient {
    final Map<Long, ModelSubscription> subscriptions = new HashMap<>();
    final Map<Long, ModelQuery> queries = new HashMap<>();
    final Map<Long, BrokerError> refusals = new HashMap<>();

    /** Queries that were given up. */
    final Map<Long, BrokerError> failures = new HashMap<>();

    ModelClient(final TestBroker broker) {
        super(broker);
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
                new Delivery(subscriptionId, kind, sequence, text, new String(bytes, length, keyLength, UTF_8));
        final ModelSubscription subscription = subscriptions.get(subscriptionId);
        final ModelQuery query = queries.get(subscriptionId);
        if (subscription != null) {
            subscription.received.add(delivery);
        } else if (query != null) {
            query.rows.add(delivery);
        }
        return true;
    }

    @Override
    public void onGroupBegin(final long commandId, final long queryId, final int shard, final long sequence) {
        final ModelSubscription subscription = subscriptions.get(queryId);
        final ModelQuery query = queries.get(queryId);
        if (subscription != null) {
            subscription.received.add(new ModelSubscription.Begin(commandId, sequence));
        } else if (query != null) {
            query.sequence = sequence;
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
        }
    }
}
