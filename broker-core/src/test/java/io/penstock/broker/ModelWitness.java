package io.penstock.broker;

import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import io.penstock.client.SubscribeRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * A client that follows all topics and is never slow: it reports the sequence of each change. The broker decides when a
 * batch of changes ends, and so which changes of a view make one row; the model decides what is in the row.
 */
final class ModelWitness extends StateClient {
    private final List<Seen> seen = new ArrayList<>();
    private long nextId = 1;
    private long turns;
    private boolean lost;

    /** The witness was too slow after all, and there is no telling what it has missed. */
    static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    record Seen(String topic, int shard, RecordKind kind, long sequence, String text, String key) {}

    ModelWitness(final TestBroker broker) {
        super(broker);
    }

    void follow(final ModelTopic topic) {
        subscribe(nextId++, SubscribeRequest.topic(topic.name).oof());
    }

    /** Whether it may have missed something since the last call: only then may a sequence be left out. */
    boolean mayBeLost() {
        final long before = turns;
        turns = broker.broker.counter("turnsToCursor") + broker.broker.counter("fellBehind");
        return lost || turns > before;
    }

    /** The changes of a shard since the last call, in their order. */
    List<Seen> take(final int shard) {
        final List<Seen> taken = seen.stream()
                .filter(each -> each.shard() == shard)
                .sorted(Comparator.comparingLong(Seen::sequence))
                .toList();
        seen.removeIf(each -> each.shard() == shard);
        return taken;
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
        final StringBuilder key = new StringBuilder();
        for (int i = 0; i < keyLength; i++) {
            key.append((char) (buffer.getByte(offset + length + i) & 0xff));
        }
        seen.add(new Seen(
                topic, shard, kind, sequence, buffer.getStringWithoutLengthUtf8(offset, length), key.toString()));
        return true;
    }

    @Override
    public void onGroupBegin(
            final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
        lost = true;
    }

    @Override
    public void onError(final BrokerError error) {
        lost = true;
    }
}
