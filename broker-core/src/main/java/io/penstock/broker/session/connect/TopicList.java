package io.penstock.broker.session.connect;

import io.penstock.broker.session.client.Entries;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicTable;
import io.penstock.protocol.codec.AckType;

/**
 * The topics whose names begin with a prefix and that a client may know of, found as they are sent: as many are looked at in one
 * go as others can wait for. Confined to one I/O agent.
 */
final class TopicList implements Entries {
    /** Topics that are looked at for an entry, which may then be none. */
    static final int LOOK_LIMIT = 16;

    private final SessionContext context;
    private final long commandId;
    private final String prefix;
    private int shard;
    private int nextId;

    /** Topics of the shard with this id or above are created while it is looked at. */
    private int idLimit = -1;

    private int count;

    TopicList(final SessionContext context, final long commandId, final String prefix) {
        this.context = context;
        this.commandId = commandId;
        this.prefix = prefix;
    }

    @Override
    public Step sendNext(final Session session) {
        for (int i = 0; i < LOOK_LIMIT; i++) {
            if (shard == context.shards().count()) {
                context.answers().ack(session.outbox(), commandId, 0, AckType.COMPLETED, count);
                return Step.ENDED;
            }
            final TopicTable table = context.shards().port(shard).topics();
            if (idLimit < 0) {
                idLimit = table.nextId();
            }
            if (nextId >= idLimit) {
                shard++;
                nextId = 0;
                idLimit = -1;
                continue;
            }
            final Topic topic = table.find(nextId);
            nextId = table.idAfter(nextId);
            if (topic != null
                    && topic.name().startsWith(prefix)
                    && context.topics().isVisible(session, topic)) {
                count++;
                context.answers()
                        .topicEntry(
                                session.outbox(), commandId, context.topics().messageCount(session, topic), topic);
                return Step.SENT;
            }
        }
        return Step.LOOKED;
    }
}
