package io.penstock.broker.session.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.DeleteQuery;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.QueryCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionAudit;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.TopicAccess;
import io.penstock.broker.session.text.CommandTexts;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.command.Delete;
import io.penstock.broker.shard.command.OpenQuery;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageValidator;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.SowDecoder;
import io.penstock.protocol.codec.SowDeleteDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Takes queries of state, and deletes. Confined to one I/O agent. */
public final class SowHandler {
    static final int ACKS_SUPPORTED = 0b11011;
    private static final AckType[] ACKS_OF_DELETE = {
        AckType.RECEIVED, AckType.PROCESSED, AckType.COMPLETED, AckType.STATS
    };
    private static final int OPTION_PATTERN = 1;
    private static final int OPTION_DURABLE = 1 << 6;
    private static final int PROGRESS_MS_MIN = 100;

    private final SessionContext context;
    private final CommandTexts texts;
    private final QueryStarter starter;
    private final HistoryStarter histories;
    private final KeyDeletes keyDeletes;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SowDecoder sowCommand = new SowDecoder();
    private final SowDeleteDecoder sowDeleteCommand = new SowDeleteDecoder();

    /** Makes it for the sessions of one I/O agent. */
    public SowHandler(final SessionContext context, final QueryStarter starter) {
        this.context = context;
        this.starter = starter;
        histories = new HistoryStarter(context);
        keyDeletes = new KeyDeletes(context, this::onDeleted);
        texts = new CommandTexts(context.gate());
    }

    /** Starts a query of state, or refuses to. */
    public void onSow(final Session session, final DirectBuffer buffer, final int offset) {
        final SowDecoder command = sowCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final long queryId = command.queryId();
        final int options = (int) command.options().getRaw();
        final int ackTypes = command.ackTypes().getRaw();
        final int topN = command.topN();
        final int skipN = command.skipN();
        final int batchSize = command.batchSize();
        final int timeoutMs = command.timeoutMs();
        final int progressMs = command.progressMs();
        final int asOf = command.asOfRaw();
        final long asOfTimeNs = command.asOfTimeNs();
        final String topicText = command.topic();
        final String filterText = command.filter();
        final String orderByText = command.orderBy();
        final String selectText = command.selection();
        final String groupByText = command.groupBy();
        final String havingText = command.having();
        final String keysText = command.keys();
        final String asOfText = command.asOfBookmark();
        try {
            check(session, "sow", ackTypes);
            if ((options & ~(OPTION_PATTERN | OPTION_DURABLE)) != 0) {
                throw new Refusal(
                        ErrorCode.NOT_SUPPORTED, "sow: unknown option (a query knows topicPattern and durable)");
            }
            if (queryId == 0
                    || session.subscriptions().byId().containsKey(queryId)
                    || QueryStarter.isUsed(session, queryId)) {
                throw new Refusal(
                        ErrorCode.DUPLICATE_SUBSCRIPTION,
                        "sow: query id in use, or 0: " + queryId + " (choose another)");
            }
            starter.checkRoom();
            final TopicPattern topics =
                    texts.topics(session.profile().principal(), "sow of", topicText, (options & OPTION_PATTERN) != 0);
            final SelectList select = CommandTexts.select(selectText, groupByText);
            if (!havingText.isBlank() && (select == null || !select.isAggregate())) {
                throw new Refusal(ErrorCode.BAD_QUERY, "having: without an aggregate (filter records with the filter)");
            }
            final QueryPlan plan = QueryStarter.plan(
                    CommandTexts.filter(filterText),
                    CommandTexts.orderBy(orderByText),
                    skipN,
                    topN,
                    batchSize,
                    null,
                    select,
                    CommandTexts.filter(havingText),
                    timeoutNs(timeoutMs));
            final QueryCommand query = new QueryCommand(
                    commandId, ackTypes, queryId, plan, (options & OPTION_DURABLE) != 0, progressNs(progressMs));
            final List<byte[]> keys = keysText.isEmpty() ? null : keys(session, "sow", topics, keysText);
            if (asOf != HistoryStarter.NOW) {
                final HistoryStarter.Point point = histories.point(asOf, asOfText, asOfTimeNs);
                histories.start(
                        session,
                        query,
                        topics,
                        keys,
                        point,
                        () -> context.answers().acks(session.outbox(), commandId, ackTypes));
                return;
            }
            open(session, commandId, topics, keys, sources -> {
                context.answers().acks(session.outbox(), commandId, ackTypes);
                starter.start(session, query, sources);
            });
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, 0, 0, refusal.code(), refusal.text());
        }
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
        final String filterText = command.filter();
        final String keysText = command.keys();
        try {
            check(session, "sow_delete", ackTypes);
            final String wrong = Topic.checkName(topicText);
            if (wrong != null) {
                throw new Refusal(ErrorCode.BAD_TOPIC, wrong);
            }
            if (!context.gate().allows(session.profile().principal(), Action.DELETE, topicText)) {
                throw new Refusal(
                        ErrorCode.NOT_AUTHORIZED,
                        "sow_delete of " + topicText + ": not allowed for "
                                + session.profile().principal().name() + " (ask for the permission)");
            }
            if (filterText.isBlank() == keysText.isEmpty()) {
                throw new Refusal(ErrorCode.BAD_QUERY, "sow_delete: give either a filter (TRUE deletes all) or keys");
            }
            checkView(topicText);
            final TopicPattern topics = TopicPattern.literal(topicText);
            if (filterText.isBlank()) {
                final List<byte[]> keys = keys(session, "sow_delete", topics, keysText);
                context.topics().learn(topicText);
                submitDelete(session, commandId, ackTypes, topicText, keys);
                return;
            }
            starter.checkRoom();
            final String filter = CommandTexts.filter(filterText);
            final QueryPlan plan =
                    QueryPlan.rows(filter, context.settings().timeouts().queryTimeoutNs());
            final DeleteQuery delete = new DeleteQuery(commandId, ackTypes, topicText, filter, new LongArrayList());
            // The session waits for the query to be opened, and then for the records to be deleted.
            session.commands()
                    .pending(new PendingCommand(2, (of, reply) -> onDeleteReply(of, reply, plan, delete), done -> {}));
            context.shards()
                    .submit(
                            context.topics().rules().shard(topicText),
                            new OpenQuery(context.settings().ioAgent(), session.id(), topics, null));
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, 0, 0, refusal.code(), refusal.text());
        }
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

    private void onDeleteReply(
            final Session session, final ShardCommand reply, final QueryPlan plan, final DeleteQuery delete) {
        if (reply instanceof Delete deleted) {
            SessionAudit.deleted(
                    context.gate().audit(), session, delete.topic(), "filter " + delete.filter(), deleted.deleted());
            onDeleted(
                    session,
                    delete.commandId(),
                    delete.ackTypes(),
                    delete.found().size() / 2,
                    deleted.deleted());
            return;
        }
        final List<QuerySource> sources = ((OpenQuery) reply).sources();
        if (sources.isEmpty()) {
            session.commands().pending(null);
            refuseStateless(session, delete.commandId(), delete.topic());
            return;
        }
        starter.startDelete(session, plan, sources, delete, (of, query) -> {
            if (query.run().failure() == null && !query.isCancelled()) {
                context.shards()
                        .submit(
                                context.topics().rules().shard(delete.topic()),
                                new Delete(
                                        context.settings().ioAgent(),
                                        of.id(),
                                        delete.topic(),
                                        null,
                                        sources.get(0).topic().id(),
                                        delete.found(),
                                        CommandTexts.compiled(delete.filter())));
            } else {
                of.commands().pending(null);
            }
        });
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
                        new Delete(
                                context.settings().ioAgent(),
                                session.id(),
                                topic,
                                keys,
                                -1,
                                new LongArrayList(),
                                null));
    }

    private void onDeleted(
            final Session session, final long commandId, final int ackTypes, final long matches, final long deleted) {
        for (final AckType type : ACKS_OF_DELETE) {
            if ((ackTypes & (1 << type.value())) != 0) {
                context.answers().ack(session.outbox(), commandId, type, matches, matches, deleted);
            }
        }
    }

    /** Opens snapshots in the shards that may hold the topics, and goes on with them. */
    private void open(
            final Session session,
            final long commandId,
            final TopicPattern topics,
            final @Nullable List<byte[]> keys,
            final SourcesHandler then) {
        final int first = topics.isLiteral() ? context.topics().rules().shard(topics.text()) : 0;
        final int count = topics.isLiteral() ? 1 : context.shards().count();
        final List<QuerySource> sources = new ArrayList<>();
        session.commands()
                .pending(new PendingCommand(count, (of, reply) -> sources.addAll(((OpenQuery) reply).sources()), of -> {
                    if (sources.isEmpty()) {
                        refuseStateless(of, commandId, topics.text());
                    } else {
                        then.onSources(sources);
                    }
                }));
        for (int i = 0; i < count; i++) {
            context.shards().submit(first + i, new OpenQuery(context.settings().ioAgent(), session.id(), topics, keys));
        }
    }

    private void refuseStateless(final Session session, final long commandId, final String topic) {
        context.refuse(
                session,
                commandId,
                0,
                0,
                ErrorCode.NO_STATE,
                "topic " + topic + ": keeps no state (declare it with a key, or check the name)");
    }

    /** The keys in a text, one a line, in canonical form. */
    private List<byte[]> keys(
            final Session session, final String command, final TopicPattern topics, final String text) {
        final Topic topic = topics.isLiteral() ? context.topics().find(topics.text()) : null;
        final StateRule rule = topic == null ? null : topic.state();
        if (topic == null || rule == null) {
            throw new Refusal(
                    ErrorCode.NO_STATE,
                    command + " by keys of " + topics.text() + ": no topic with state (name one that has a key)");
        }
        final TopicAccess access = context.topics().access(session, topic);
        final List<byte[]> keys = new ArrayList<>();
        for (final String line : text.split("\n", -1)) {
            if (!line.isEmpty()) {
                keys.add(key(command, access, line.getBytes(UTF_8)));
            }
        }
        return keys;
    }

    private static byte[] key(final String command, final TopicAccess access, final byte[] line) {
        final KeyReader reader = access.topic().keyTextReader(access.keyReader());
        if (reader == null) {
            if (line.length > KeyReader.KEY_LENGTH_MAX) {
                throw new Refusal(
                        ErrorCode.BAD_KEY,
                        command + ": key of " + line.length + " bytes (use at most " + KeyReader.KEY_LENGTH_MAX + ")");
            }
            return line;
        }
        final MessageValidator validator = access.validator();
        final UnsafeBuffer message = new UnsafeBuffer(line);
        String wrong = validator.validate(message, 0, line.length);
        if (wrong == null) {
            wrong = reader.read(message, 0, line.length);
        }
        if (wrong != null) {
            throw new Refusal(
                    ErrorCode.BAD_KEY,
                    command + ": " + wrong + " (give each key as a message with the key fields, one a line)");
        }
        final byte[] key = new byte[reader.length()];
        reader.buffer().getBytes(0, key);
        return key;
    }

    private void check(final Session session, final String command, final int ackTypes) {
        if (context.isDraining()) {
            throw new Refusal(ErrorCode.SHUTTING_DOWN, command + ": broker is shutting down (connect again later)");
        }
        if ((ackTypes & ~ACKS_SUPPORTED) != 0) {
            throw new Refusal(
                    ErrorCode.NOT_SUPPORTED,
                    command + ": unknown acknowledgement (ask for received, processed, completed or stats)");
        }
        assert session.commands().pending() == null : session;
    }

    private long timeoutNs(final int timeoutMs) {
        if (timeoutMs < 0) {
            throw new Refusal(ErrorCode.BAD_QUERY, "timeout: below 0: " + timeoutMs + " ms (use 0 or more)");
        }
        final long limitNs = context.settings().timeouts().queryTimeoutNs();
        return timeoutMs == 0 ? limitNs : Math.min(limitNs, TimeUnit.MILLISECONDS.toNanos(timeoutMs));
    }

    /** Never more often than {@link #PROGRESS_MS_MIN}. */
    private static long progressNs(final int progressMs) {
        if (progressMs < 0) {
            throw new Refusal(
                    ErrorCode.BAD_QUERY, "progress: below 0: " + progressMs + " ms (use 0 for none, or more)");
        }
        return progressMs == 0 ? 0 : TimeUnit.MILLISECONDS.toNanos(Math.max(PROGRESS_MS_MIN, progressMs));
    }

    /** Called once the snapshots are open. */
    @FunctionalInterface
    private interface SourcesHandler {
        void onSources(List<QuerySource> sources);
    }
}
