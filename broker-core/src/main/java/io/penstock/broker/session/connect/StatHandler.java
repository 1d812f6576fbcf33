package io.penstock.broker.session.connect;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.Entries;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.StatDecoder;
import io.penstock.protocol.codec.TopicsDecoder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** Answers clients' questions about the broker, as fast as they take the answers. Confined to one I/O agent. */
public final class StatHandler {
    private final SessionContext context;
    private final BrokerCounters brokerCounters;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final StatDecoder stat = new StatDecoder();
    private final TopicsDecoder topics = new TopicsDecoder();

    /** Makes it for the sessions of one I/O agent, which may read the counters of the broker. */
    public StatHandler(final SessionContext context, final BrokerCounters brokerCounters) {
        this.context = context;
        this.brokerCounters = brokerCounters;
    }

    /** Lists the counters whose names begin with a prefix. */
    public void onStat(final Session session, final DirectBuffer buffer, final int offset) {
        stat.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = stat.commandId();
        final String prefix = stat.prefix();
        if (!context.gate().allows(session.profile().principal(), Action.STAT, "")) {
            refuse(session, commandId, "stat");
            return;
        }
        final List<String> names = new ArrayList<>();
        final List<Long> values = new ArrayList<>();
        brokerCounters.reader().forEach((value, id, label) -> {
            if (label.startsWith(prefix)) {
                names.add(label);
                values.add(value);
            }
        });
        final int count = names.size();
        final int[] next = new int[1];
        session.commands().entries(of -> {
            final int i = next[0]++;
            if (i == count) {
                context.answers().ack(of.outbox(), commandId, 0, AckType.COMPLETED, count);
                return Entries.Step.ENDED;
            }
            context.answers().statEntry(of.outbox(), commandId, values.get(i), names.get(i));
            return Entries.Step.SENT;
        });
    }

    /** Lists the topics whose names begin with a prefix. */
    public void onTopics(final Session session, final DirectBuffer buffer, final int offset) {
        topics.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = topics.commandId();
        final String prefix = topics.prefix();
        if (!context.gate().allows(session.profile().principal(), Action.LIST_TOPICS, "")) {
            refuse(session, commandId, "topics");
            return;
        }
        session.commands().entries(new TopicList(context, commandId, prefix));
    }

    private void refuse(final Session session, final long commandId, final String what) {
        context.refuse(
                session,
                commandId,
                0,
                0,
                ErrorCode.NOT_AUTHORIZED,
                what + ": not allowed for " + session.profile().principal().name() + " (ask for the permission)");
    }
}
