package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Notes what a session reports, as text. */
final class RecordingListener implements SessionListener {
    private final List<String> events = new ArrayList<>();
    private int room = Integer.MAX_VALUE;

    /** What came since the last call. */
    List<String> events() {
        final List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    /** Takes so many more messages and then refuses. */
    void room(final int count) {
        room = count;
    }

    @Override
    public void onLogon() {
        events.add("logon");
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
        if (room == 0) {
            return false;
        }
        room--;
        final byte[] payload = new byte[length];
        buffer.getBytes(offset, payload);
        events.add("message " + subscriptionId + " " + topic + " " + shard + ":" + sequence + " " + timestampNs + " "
                + ScriptedBroker.brief(payload));
        return true;
    }

    @Override
    public void onAck(final AckType type, final long commandId, final long publisherSequence, final long returned) {
        events.add("ack " + type + " " + commandId + " " + publisherSequence);
    }

    @Override
    public void onError(final BrokerError error) {
        events.add("error " + error.commandId() + " " + error.subscriptionId() + " " + error.errorCode() + " "
                + error.text());
    }

    @Override
    public void onStat(final long commandId, final Stat stat) {
        events.add("stat " + commandId + " " + stat.name() + "=" + stat.value());
    }

    @Override
    public void onTopic(final long commandId, final TopicInfo topic) {
        events.add("topic " + commandId + " " + topic.name() + "/" + topic.format() + " " + topic.messages());
    }

    @Override
    public void onDisconnect(final String reason, final @Nullable ErrorCode errorCode) {
        events.add("disconnect " + errorCode + " " + reason);
    }
}
