package io.penstock.broker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.BrokerError;
import io.penstock.client.RecordKind;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.DirectBuffer;

/** A client that keeps what its subscriptions show. */
final class MirrorClient extends StateClient {
    final Map<Long, StateMirror> mirrors = new TreeMap<>();

    MirrorClient(final TestBroker broker) {
        super(broker);
    }

    private StateMirror mirror(final long id) {
        final StateMirror mirror = mirrors.get(id);
        assertThat(mirror).as("of subscription %d", id).isNotNull();
        return mirror;
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
        mirror(subscriptionId)
                .onRecord(kind, new String(bytes, 0, length, UTF_8), new String(bytes, length, keyLength, ISO_8859_1));
        return true;
    }

    @Override
    public void onGroupBegin(
            final long commandId, final long queryId, final String topic, final int shard, final long sequence) {
        mirror(queryId).onBegin();
    }

    @Override
    public void onGroupEnd(
            final long commandId,
            final long queryId,
            final long topicMatches,
            final long matches,
            final long returnedCount) {
        mirror(queryId).onEnd();
    }

    @Override
    public void onError(final BrokerError error) {
        super.onError(error);
        mirror(error.subscriptionId()).onError(error);
    }
}
