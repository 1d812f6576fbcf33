package io.penstock.broker.session.query;

import io.penstock.broker.query.QueryPlan;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.query.join.QueryJoin;
import io.penstock.broker.security.Action;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.text.CommandTexts;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.command.OpenQuery;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Starts queries that join two topics: each as of one sequence, which is the same when both are in one shard. Confined to one I/O agent. */
final class JoinStarter {
    private static final List<Action> QUERY = List.of(Action.QUERY);

    private final SessionContext context;
    private final CommandTexts texts;

    /** Makes it for the sessions of one I/O agent. */
    JoinStarter(final SessionContext context, final CommandTexts texts) {
        this.context = context;
        this.texts = texts;
    }

    /**
     * Refuses joins that there are not, whatever their texts are.
     *
     * @param topics of the query.
     * @param isNow  whether the state as it is is asked for.
     */
    static void checkAsked(final TopicPattern topics, final boolean isNow) {
        if (!topics.isLiteral()) {
            throw new Refusal(ErrorCode.NOT_SUPPORTED, "join: of all topics that match a pattern (name one topic)");
        }
        if (!isNow) {
            throw new Refusal(
                    ErrorCode.NOT_SUPPORTED, "join: of the state as it was (query each topic, or a view of both)");
        }
    }

    /**
     * Makes the plan of a query one for pairs, if its client may see both topics and all fields that it names.
     *
     * @param topics of the query, which its client may query, and which {@link #checkAsked} has let pass.
     * @param join   of the query.
     * @throws Refusal when it may not, or there is no such query.
     */
    QueryPlan plan(final Session session, final TopicPattern topics, final QueryPlan plan, final QueryJoin join) {
        final TopicPattern right = texts.topics(
                session.profile().principal(), QUERY, "sow of", join.rule().right(), false);
        final QueryPlan joined;
        try {
            joined = plan.joined(join);
        } catch (final IllegalArgumentException e) {
            throw new Refusal(ErrorCode.BAD_QUERY, String.valueOf(e.getMessage()));
        }
        HiddenFields.check(context, session, "sow of", topics, joined.fields(false));
        HiddenFields.check(context, session, "sow of", right, joined.fields(true));
        return joined;
    }

    /**
     * Opens snapshots of both topics, and goes on with them: the left one, and then the right one.
     *
     * @param commandId of the query.
     * @param left      topic.
     * @param keys      of its only records; null for all.
     * @param join      with the other one.
     * @param then      called once they are open.
     */
    void open(
            final Session session,
            final long commandId,
            final TopicPattern left,
            final @Nullable List<byte[]> keys,
            final QueryJoin join,
            final Consumer<List<QuerySource>> then) {
        final TopicPattern right = TopicPattern.literal(join.rule().right());
        final int leftShard = context.topics().rules().shard(left.text());
        final int rightShard = context.topics().rules().shard(right.text());
        final int ioAgent = context.settings().ioAgent();
        final boolean isOneShard = leftShard == rightShard;
        final OpenQuery ofLeft = new OpenQuery(ioAgent, session.id(), left, keys, isOneShard ? right : null);
        final List<QuerySource> sources = new ArrayList<>();
        session.commands()
                .pending(new PendingCommand(
                                isOneShard ? 1 : 2,
                                (of, reply) -> {
                                    final List<QuerySource> opened = ((OpenQuery) reply).sources();
                                    sources.addAll(isLeft(opened, left) ? 0 : sources.size(), opened);
                                },
                                of -> onOpened(of, commandId, List.of(left, right), sources, then))
                        .abandonedBy(() -> context.shards().closeSources(sources)));
        context.shards().submit(leftShard, ofLeft);
        if (!isOneShard) {
            context.shards().submit(rightShard, new OpenQuery(ioAgent, session.id(), right, null));
        }
    }

    private static boolean isLeft(final List<QuerySource> opened, final TopicPattern left) {
        return !opened.isEmpty() && opened.get(0).topic().name().equals(left.text());
    }

    private void onOpened(
            final Session session,
            final long commandId,
            final List<TopicPattern> topics,
            final List<QuerySource> sources,
            final Consumer<List<QuerySource>> then) {
        for (final TopicPattern topic : topics) {
            final QuerySource source = find(sources, topic.text());
            if (source == null || !source.topic().format().hasFields()) {
                context.shards().closeSources(sources);
                if (source == null) {
                    DeleteHandler.refuseStateless(context, session, commandId, topic.text());
                } else {
                    final String text = "join: topic " + topic.text() + ": format "
                            + source.topic().format().name() + " has no fields (join topics of another format)";
                    context.refuse(session, commandId, 0, 0, ErrorCode.BAD_QUERY, text);
                }
                return;
            }
        }
        then.accept(sources);
    }

    private static @Nullable QuerySource find(final List<QuerySource> sources, final String topic) {
        for (final QuerySource source : sources) {
            if (source.topic().name().equals(topic)) {
                return source;
            }
        }
        return null;
    }
}
