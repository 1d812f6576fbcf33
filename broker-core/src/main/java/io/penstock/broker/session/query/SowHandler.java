package io.penstock.broker.session.query;

import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.SelectList;
import io.penstock.broker.query.join.QueryJoin;
import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.QueryCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.text.CommandTexts;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.session.text.WireText;
import io.penstock.broker.shard.command.OpenQuery;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.SowDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Takes queries of state, and deletes. Confined to one I/O agent. */
public final class SowHandler {
    static final int ACKS_SUPPORTED = 0b11011;
    private static final List<Action> QUERY = List.of(Action.QUERY);
    private static final List<Action> QUERY_OF_PAST = List.of(Action.QUERY, Action.REPLAY);
    private static final int OPTION_PATTERN = 1;
    private static final int OPTION_DURABLE = 1 << 6;
    private static final int OPTION_EXPLAIN = 1 << 8;
    private static final int OPTION_JOIN = 1 << 9;
    private static final int EXPLAIN_VERSION = 3;
    private static final int PROGRESS_MS_MIN = 100;

    private final SessionContext context;
    private final CommandTexts texts;
    private final QueryStarter starter;
    private final HistoryStarter histories;
    private final JoinStarter joins;
    private final DeleteHandler deletes;
    private final KeyTexts keyTexts;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SowDecoder sowCommand = new SowDecoder();

    /** Makes it for the sessions of one I/O agent. */
    public SowHandler(final SessionContext context, final QueryStarter starter) {
        this.context = context;
        this.starter = starter;
        histories = new HistoryStarter(context);
        keyTexts = new KeyTexts(context);
        deletes = new DeleteHandler(context, starter, keyTexts);
        texts = new CommandTexts(context.gate());
        joins = new JoinStarter(context, texts);
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
        final String topicText = WireText.of(command::wrapTopic);
        final String filterText = WireText.of(command::wrapFilter);
        final String orderByText = WireText.of(command::wrapOrderBy);
        final String selectText = WireText.of(command::wrapSelection);
        final String groupByText = WireText.of(command::wrapGroupBy);
        final String havingText = WireText.of(command::wrapHaving);
        final String keysText = command.keys();
        final String asOfText = command.asOfBookmark();
        final String joinText = WireText.of(command::wrapJoin);
        try {
            check(context, session, "sow", ackTypes);
            checkOptions(session, options);
            checkJoin(options, joinText);
            if (queryId == 0
                    || session.subscriptions().byId().containsKey(queryId)
                    || QueryStarter.isUsed(session, queryId)) {
                throw new Refusal(
                        ErrorCode.DUPLICATE_SUBSCRIPTION,
                        "sow: query id in use, or 0: " + queryId + " (choose another)");
            }
            starter.checkRoom(session);
            final TopicPattern topics = texts.topics(
                    session.profile().principal(),
                    asOf == HistoryStarter.NOW ? QUERY : QUERY_OF_PAST,
                    "sow of",
                    topicText,
                    (options & OPTION_PATTERN) != 0);
            if (!joinText.isBlank()) {
                JoinStarter.checkAsked(topics, asOf == HistoryStarter.NOW);
            }
            final SelectList select = CommandTexts.select(selectText, groupByText);
            final String having = CommandTexts.having(havingText);
            if (!having.isEmpty() && (select == null || !select.isAggregate())) {
                throw new Refusal(ErrorCode.BAD_QUERY, "having: without an aggregate (filter records with the filter)");
            }
            final QueryJoin join = CommandTexts.join(joinText, topicText);
            final QueryPlan asked = QueryStarter.plan(
                    CommandTexts.filter(filterText),
                    CommandTexts.orderBy(orderByText),
                    skipN,
                    topN,
                    batchSize,
                    null,
                    select,
                    having,
                    timeoutNs(timeoutMs));
            final QueryPlan plan = join == null ? asked : joins.plan(session, topics, asked, join);
            if (join == null) {
                HiddenFields.check(context, session, "sow of", topics, plan.fields());
            }
            final QueryCommand query = new QueryCommand(
                    commandId,
                    ackTypes,
                    queryId,
                    plan,
                    (options & OPTION_DURABLE) != 0,
                    progressNs(progressMs),
                    (options & OPTION_EXPLAIN) != 0);
            final List<byte[]> keys = keysText.isEmpty() ? null : keyTexts.read(session, "sow", topics, keysText);
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
            final Consumer<List<QuerySource>> then = sources -> {
                context.answers().acks(session.outbox(), commandId, ackTypes);
                starter.start(session, query, sources);
            };
            if (join == null) {
                open(session, commandId, topics, keys, then);
            } else {
                joins.open(session, commandId, topics, keys, join, then);
            }
        } catch (final Refusal refusal) {
            context.refuse(session, commandId, 0, 0, refusal.code(), refusal.text());
        }
    }

    /** Has records of a topic with state deleted, or refuses to. */
    public void onSowDelete(final Session session, final DirectBuffer buffer, final int offset) {
        deletes.onSowDelete(session, buffer, offset);
    }

    /** Opens snapshots in the shards that may hold the topics, and goes on with them. */
    private void open(
            final Session session,
            final long commandId,
            final TopicPattern topics,
            final @Nullable List<byte[]> keys,
            final Consumer<List<QuerySource>> then) {
        final int first = topics.isLiteral() ? context.topics().rules().shard(topics.text()) : 0;
        final int count = topics.isLiteral() ? 1 : context.shards().count();
        final List<QuerySource> sources = new ArrayList<>();
        session.commands()
                .pending(new PendingCommand(count, (of, reply) -> sources.addAll(((OpenQuery) reply).sources()), of -> {
                            closeHidden(of, topics, sources);
                            if (sources.isEmpty()) {
                                DeleteHandler.refuseStateless(context, of, commandId, topics.text());
                            } else {
                                then.accept(sources);
                            }
                        })
                        .abandonedBy(() -> context.shards().closeSources(sources)));
        for (int i = 0; i < count; i++) {
            context.shards().submit(first + i, new OpenQuery(context.settings().ioAgent(), session.id(), topics, keys));
        }
    }

    /** What a pattern matches and its client may not query is as if it were not there. */
    private void closeHidden(final Session session, final TopicPattern topics, final List<QuerySource> sources) {
        if (!topics.isLiteral()) {
            final List<QuerySource> hidden = sources.stream()
                    .filter(each -> context.topics()
                                    .access(session, each.topic())
                                    .rights()
                                    .query()
                            == null)
                    .toList();
            sources.removeAll(hidden);
            context.shards().closeSources(hidden);
        }
    }

    /** Refuses a command that cannot be taken now, or asks for what there is not. */
    static void check(final SessionContext context, final Session session, final String command, final int ackTypes) {
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

    private static void checkOptions(final Session session, final int options) {
        // A client of an earlier version would not know what it is sent.
        final int known = OPTION_PATTERN
                | OPTION_DURABLE
                | (session.profile().protocolVersion() < EXPLAIN_VERSION ? 0 : OPTION_EXPLAIN | OPTION_JOIN);
        if ((options & ~known) != 0) {
            throw new Refusal(
                    ErrorCode.NOT_SUPPORTED,
                    "sow: unknown option (a query knows topicPattern and durable, and from version 3 on explain and"
                            + " join)");
        }
    }

    /** The bit is there so that a broker that knows of no joins refuses one. */
    private static void checkJoin(final int options, final String text) {
        if (text.isBlank() != ((options & OPTION_JOIN) == 0)) {
            throw new Refusal(
                    ErrorCode.BAD_QUERY, "join: the option and the text are not both there (give both, or neither)");
        }
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
}
