package io.penstock.broker.session.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.TopicRights;
import io.penstock.broker.session.client.DeleteQuery;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionAudit;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.text.CommandTexts;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.session.text.WireText;
import io.penstock.broker.shard.command.Delete;
import io.penstock.broker.shard.command.OpenQuery;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.SowDeleteDecoder;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;

/** Takes deletes of records. Confined to one I/O agent. */
final class DeleteHandler {
    private static final AckType[] ACKS_OF_DELETE = {
        AckType.RECEIVED, AckType.PROCESSED, AckType.COMPLETED, AckType.STATS
    };

    private final SessionContext context;
    private final QueryStarter starter;
    private final KeyTexts keyTexts;
    private final KeyDeletes keyDeletes;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SowDeleteDecoder sowDeleteCommand = new SowDeleteDecoder();

    DeleteHandler(final SessionContext context, final QueryStarter starter, final KeyTexts keyTexts) {
        this.context = context;
        this.starter = starter;
        this.keyTexts = keyTexts;
        keyDeletes = new KeyDeletes(context, this::onDeleted);
    }

    /** Has records of a topic with state deleted, or refuses to. */
    public void onSowDelete(final Session session, final DirectBuffer buffer, final int offset) {
        final SowDeleteDecoder command = sowDeleteCommand.wrapAndApplyHeader(buffer, offset, header);
        if (keyDeletes.take(session, command)) {
            return;
        }
        final long commandId = command.commandId();
        final int ackTypes = command.ackTypes().getRaw();
        final String topicText = command.topic();
        final String filterText = WireText.of(command::wrapFilter);
        final String keysText = command.keys();
        try {
            SowHandler.check(context, session, "sow_delete", ackTypes);
            final String wrong = Topic.checkName(topicText);
            if (wrong != null) {
                throw new Refusal(ErrorCode.BAD_TOPIC, wrong);
            }
            if (!context.gate().allows(session.profile().principal(), Action.DELETE, topicText)) {
                throw new Refusal(ErrorCode.NOT_AUTHORIZED, notAllowed(session, topicText));
            }
            if (filterText.isBlank() == keysText.isEmpty()) {
                throw new Refusal(ErrorCode.BAD_QUERY, "sow_delete: give either a filter (TRUE deletes all) or keys");
            }
            checkView(topicText);
            final TopicPattern topics = TopicPattern.literal(topicText);
            final List<byte[]> keys =
                    filterText.isBlank() ? keyTexts.read(session, "sow_delete", topics, keysText) : null;
            if (keys != null && mayDeleteAll(session, topicText)) {
                context.topics().learn(topicText);
                submitDelete(session, commandId, ackTypes, topicText, keys);
                return;
            }
            starter.checkRoom(session);
            final String filter = CommandTexts.filter(filterText);
            HiddenFields.checkFilter(context, session, "sow_delete of", topicText, filter);
            final QueryPlan plan =
                    QueryPlan.rows(filter, context.settings().timeouts().queryTimeoutNs());
            final FoundVersions found = new FoundVersions();
            final DeleteQuery delete = new DeleteQuery(commandId, ackTypes, topicText, filter, null, found);
            // The session waits for the query to be opened, and then for the records to be deleted.
            session.commands()
                    .pending(new PendingCommand(
                            2, (of, reply) -> onDeleteReply(of, reply, plan, delete, found), done -> {}));
            context.shards()
                    .submit(
                            context.topics().rules().shard(topicText),
                            new OpenQuery(context.settings().ioAgent(), session.id(), topics, keys));
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, 0, 0, refusal.code(), refusal.text());
        }
    }

    /** Whether it may delete any record, whatever is in it, of a topic that is there. */
    private boolean mayDeleteAll(final Session session, final String name) {
        final Topic topic = context.topics().find(name);
        return topic != null && context.topics().access(session, topic).mayDelete();
    }

    private void checkView(final String name) {
        final Topic topic = context.topics().find(name);
        final StateRule rule = topic == null ? null : topic.state();
        if (rule != null && rule.isView()) {
            throw new Refusal(
                    ErrorCode.NOT_SUPPORTED,
                    "sow_delete of " + name + ": the topic is a view (delete from what it is computed from)");
        }
    }

    private String notAllowed(final Session session, final String topic) {
        return "sow_delete of " + topic + ": "
                + context.gate().whyNot(session.profile().principal(), List.of(Action.DELETE), topic);
    }

    private void onDeleteReply(
            final Session session,
            final ShardCommand reply,
            final QueryPlan plan,
            final DeleteQuery delete,
            final FoundVersions found) {
        if (reply instanceof Delete deleted) {
            SessionAudit.deleted(
                    context.gate().audit(), session, delete.topic(), "filter " + delete.filter(), deleted.deleted());
            onDeleted(session, delete.commandId(), delete.ackTypes(), found.count(), deleted.deleted());
            return;
        }
        final List<QuerySource> sources = ((OpenQuery) reply).sources();
        if (sources.isEmpty()) {
            session.commands().pending(null);
            refuseStateless(context, session, delete.commandId(), delete.topic());
            return;
        }
        final QuerySource source = sources.get(0);
        final TopicRights rights =
                context.topics().access(session, source.topic()).rights();
        final String condition = rights.delete();
        final String filter;
        try {
            filter = checked(session, rights, plan, delete);
        } catch (final Refusal refusal) {
            session.commands().pending(null);
            context.shards().closeSources(sources);
            context.refuse(session, delete.commandId(), 0, 0, refusal.code(), refusal.text());
            return;
        }
        final QuerySource visible = source.limitedTo(Objects.requireNonNull(condition));
        starter.startDelete(session, plan, List.of(visible), delete, (of, query) -> {
            final TopicRights now = context.topics().access(of, source.topic()).rights();
            final boolean isSame =
                    condition.equals(now.delete()) && rights.hidden().equals(now.hidden());
            if (!isSame) {
                final Refusal refusal = permissionsChanged(delete);
                context.refuse(of, delete.commandId(), 0, 0, refusal.code(), refusal.text());
            }
            if (isSame && query.run().failure() == null && !query.isCancelled()) {
                context.shards()
                        .submit(
                                context.topics().rules().shard(delete.topic()),
                                new Delete(
                                        context.settings().ioAgent(),
                                        of.id(),
                                        source.topic(),
                                        found,
                                        filter,
                                        CommandTexts.compiled(filter)));
            } else {
                of.commands().pending(null);
            }
        });
    }

    /**
     * The filter of a delete, behind the condition on what its client may delete: the permissions may have changed since the
     * command came.
     */
    private String checked(
            final Session session, final TopicRights rights, final QueryPlan plan, final DeleteQuery delete) {
        final String condition = rights.delete();
        if (condition == null) {
            throw new Refusal(ErrorCode.NOT_AUTHORIZED, notAllowed(session, delete.topic()));
        }
        if (new AskedFields(plan::fields).tellOfHidden(rights)) {
            throw permissionsChanged(delete);
        }
        try {
            return FilterCompiler.allOf(condition, delete.filter());
        } catch (final FilterException e) {
            throw new Refusal(
                    ErrorCode.BAD_FILTER,
                    "sow_delete of " + delete.topic() + ": with the filters of the permissions " + e.getMessage());
        }
    }

    private static Refusal permissionsChanged(final DeleteQuery delete) {
        return new Refusal(
                ErrorCode.PERMISSIONS_CHANGED,
                "sow_delete of " + delete.topic()
                        + ": the permissions have changed meanwhile, and nothing was deleted (ask again)");
    }

    private void submitDelete(
            final Session session,
            final long commandId,
            final int ackTypes,
            final String topic,
            final List<byte[]> keys) {
        session.commands()
                .pending(new PendingCommand(
                        1,
                        (of, reply) -> {
                            final long deleted = ((Delete) reply).deleted();
                            SessionAudit.deleted(
                                    context.gate().audit(),
                                    of,
                                    topic,
                                    keys.size() == 1 ? "key" : keys.size() + " keys",
                                    deleted);
                            onDeleted(of, commandId, ackTypes, keys.size(), deleted);
                        },
                        done -> {}));
        context.shards()
                .submit(
                        context.topics().rules().shard(topic),
                        new Delete(context.settings().ioAgent(), session.id(), topic, keys));
    }

    private void onDeleted(
            final Session session, final long commandId, final int ackTypes, final long matches, final long deleted) {
        for (final AckType type : ACKS_OF_DELETE) {
            if ((ackTypes & (1 << type.value())) != 0) {
                context.answers().ack(session.outbox(), commandId, type, matches, matches, deleted);
            }
        }
    }

    static void refuseStateless(
            final SessionContext context, final Session session, final long commandId, final String topic) {
        context.refuse(
                session,
                commandId,
                0,
                0,
                ErrorCode.NO_STATE,
                "topic " + topic + ": keeps no state (declare it with a key, or check the name)");
    }
}
