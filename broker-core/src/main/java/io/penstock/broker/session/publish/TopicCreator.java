package io.penstock.broker.session.publish;

import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.QuotaSettings;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.shard.command.OpenTopic;
import io.penstock.broker.topic.StateRule;
import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Has topics created for clients that may, as long as they have not created too many. Confined to one I/O agent. */
public final class TopicCreator {
    private final SessionContext context;

    /** Makes it for the sessions of one I/O agent. */
    public TopicCreator(final SessionContext context) {
        this.context = context;
    }

    /**
     * Asks a shard for a topic, which it creates unless it exists. The command that needs the topic is read again after
     * that; so the handler gets nothing when the topic existed and was deleted.
     *
     * @param publisherSequence of the publish that needs it, or 0.
     * @param handler           gets the reply; nothing is read from the session until then.
     * @return false when the command was refused.
     */
    boolean open(
            final Session session,
            final long commandId,
            final long publisherSequence,
            final String name,
            final String format,
            final @Nullable StateRule state,
            final PendingCommand.ReplyHandler handler) {
        return open(session, commandId, publisherSequence, name, format, state, handler, of -> {});
    }

    /**
     * The same, for a command that is not read again.
     *
     * @param again run in place of the handler when the topic existed and was deleted: it may be asked for again.
     */
    boolean open(
            final Session session,
            final long commandId,
            final long publisherSequence,
            final String name,
            final String format,
            final @Nullable StateRule state,
            final PendingCommand.ReplyHandler handler,
            final PendingCommand.Completion again) {
        if (!context.gate().allows(session.profile().principal(), Action.CREATE_TOPIC, name)) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    publisherSequence,
                    ErrorCode.NOT_AUTHORIZED,
                    "topic: may not be created by "
                            + session.profile().principal().name() + ": " + name
                            + " (ask for the permission, or have it declared)");
            return false;
        }
        final boolean isNew = context.topics().find(name) == null;
        final String identity = isNew ? session.identity() : "";
        final String wrong = isNew ? take(session, identity, name) : null;
        if (wrong != null) {
            context.refuse(session, commandId, 0, publisherSequence, ErrorCode.LIMIT_REACHED, wrong);
            return false;
        }
        final OpenTopic command = new OpenTopic(
                context.settings().ioAgent(),
                session.id(),
                identity,
                name,
                format,
                state,
                context.settings().quotas().createdTopics());
        session.commands().pending(new PendingCommand(1, (of, reply) -> onReply(of, command, handler), of -> {
            if (command.isGone()) {
                again.onComplete(of);
            }
        }));
        context.shards().submit(context.topics().rules().shard(name), command);
        return true;
    }

    private void onReply(final Session session, final OpenTopic opened, final PendingCommand.ReplyHandler handler) {
        if (opened.isCreated()) {
            session.publishing().onTopicCreated();
        }
        onOpened(opened);
        if (!opened.isGone()) {
            handler.onReply(session, opened);
        }
    }

    /** A shard has replied, maybe to a client that has disconnected. */
    public void onOpened(final OpenTopic opened) {
        if (!opened.isCreated() && !opened.identity().isEmpty()) {
            context.settings().quotas().createdTopics().counts().giveBack(opened.identity());
        }
    }

    private @Nullable String take(final Session session, final String identity, final String name) {
        final QuotaSettings quotas = context.settings().quotas();
        if (session.publishing().createdTopicCount() >= quotas.topicsPerConnectionMax()) {
            return "topic: no more topics of this connection, which has created "
                    + session.publishing().createdTopicCount() + ": " + name
                    + " (use one that exists, or raise quotas.topicsPerConnectionMax)";
        }
        if (!quotas.createdTopics().counts().take(identity)) {
            return "topic: no more topics of " + identity + ", with "
                    + quotas.createdTopics().counts().countMax() + " created: " + name
                    + " (use one that exists, or raise quotas.topicsPerIdentityMax)";
        }
        return null;
    }
}
