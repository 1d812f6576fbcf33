package io.penstock.broker.session.query;

import io.penstock.broker.session.client.KeyDelete;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionAudit;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.TopicAccess;
import io.penstock.broker.shard.command.DeleteKey;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.KeyReader;
import io.penstock.protocol.codec.SowDeleteDecoder;
import org.agrona.DirectBuffer;

/**
 * Takes deletes of one record by its key, which are as frequent as publishes may be, and allocates nothing for them.
 * Other deletes, and all refusals, are left to {@link SowHandler}. Confined to one I/O agent.
 */
final class KeyDeletes {
    private static final byte KEY_END = '\n';

    private final SessionContext context;
    private final DeleteListener listener;

    KeyDeletes(final SessionContext context, final DeleteListener listener) {
        this.context = context;
        this.listener = listener;
    }

    /** Takes a command; false when it is not such a delete, and then nothing has been done. */
    boolean take(final Session session, final SowDeleteDecoder command) {
        final DirectBuffer buffer = command.buffer();
        final long commandId = command.commandId();
        final int ackTypes = command.ackTypes().getRaw();
        final int topicLength = command.topicLength();
        final int topicOffset = command.limit() + SowDeleteDecoder.topicHeaderLength();
        command.skipTopic();
        final int filterLength = command.filterLength();
        command.skipFilter();
        final int keyLength = command.keysLength();
        final int keyOffset = command.limit() + SowDeleteDecoder.keysHeaderLength();
        command.sbeRewind();
        if (context.isDraining()
                || (ackTypes & ~SowHandler.ACKS_SUPPORTED) != 0
                || filterLength != 0
                || !isOneKey(buffer, keyOffset, keyLength)) {
            return false;
        }
        final Topic topic = context.topics().find(buffer, topicOffset, topicLength);
        final StateRule rule = topic == null ? null : topic.state();
        if (topic == null || rule == null || rule.isView()) {
            return false;
        }
        final TopicAccess access = context.topics().access(session, topic);
        final KeyReader reader = access.keyReader();
        if (!access.mayDelete()) {
            return false;
        }
        if (reader == null) {
            SessionAudit.keyDeleted(context.gate().audit(), session, access, context.nowNs());
            submit(session, topic, commandId, ackTypes, buffer, keyOffset, keyLength);
            return true;
        }
        if (access.validator().validate(buffer, keyOffset, keyLength) != null
                || reader.read(buffer, keyOffset, keyLength) != null) {
            return false;
        }
        SessionAudit.keyDeleted(context.gate().audit(), session, access, context.nowNs());
        submit(session, topic, commandId, ackTypes, reader.buffer(), 0, reader.length());
        return true;
    }

    private static boolean isOneKey(final DirectBuffer buffer, final int offset, final int length) {
        if (length == 0 || length > KeyReader.KEY_LENGTH_MAX) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (buffer.getByte(offset + i) == KEY_END) {
                return false;
            }
        }
        return true;
    }

    private void submit(
            final Session session,
            final Topic topic,
            final long commandId,
            final int ackTypes,
            final DirectBuffer key,
            final int offset,
            final int length) {
        KeyDelete slot = session.commands().keyDelete();
        if (slot == null) {
            slot = new KeyDelete(
                    new DeleteKey(context.settings().ioAgent(), session.id()),
                    new PendingCommand(1, this::onDeleted, done -> {}));
            session.commands().keyDelete(slot);
        }
        slot.command().set(commandId, ackTypes, topic.id(), key, offset, length);
        session.commands().pending(slot.pending().again());
        context.shards().submit(topic.shard(), slot.command());
    }

    private void onDeleted(final Session session, final ShardCommand reply) {
        final DeleteKey deleted = (DeleteKey) reply;
        listener.onDeleted(session, deleted.commandId(), deleted.ackTypes(), 1, deleted.deleted());
    }

    /** Acknowledges a delete. */
    @FunctionalInterface
    interface DeleteListener {
        void onDeleted(Session session, long commandId, int ackTypes, long matches, long deleted);
    }
}
