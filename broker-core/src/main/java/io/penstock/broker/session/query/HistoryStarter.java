package io.penstock.broker.session.query;

import io.penstock.broker.history.HistoryTask;
import io.penstock.broker.session.client.HistoryQuery;
import io.penstock.broker.session.client.PendingCommand;
import io.penstock.broker.session.client.QueryCommand;
import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.text.Bookmarks;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.command.Locate;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts queries of state as it was: asks the shards where their logs are, and gives the historian its task. Confined
 * to one I/O agent.
 */
final class HistoryStarter {
    /** The state as it is. */
    static final int NOW = 0;

    private static final int BOOKMARK = 1;
    private static final int TIME = 2;

    private final SessionContext context;

    HistoryStarter(final SessionContext context) {
        this.context = context;
    }

    /** The point as of which state is asked for. */
    static final class Point {
        private final String text;
        private final long @Nullable [] sequences;
        private final long timeNs;

        /**
         * @param text      of the bookmark, for people.
         * @param sequences of the bookmark by shard, negative where it says nothing; null for a time.
         * @param timeNs    since 1970; {@link HistoryTask#NO_TIME} for a bookmark.
         */
        private Point(final String text, final long @Nullable [] sequences, final long timeNs) {
            this.text = text;
            this.sequences = sequences;
            this.timeNs = timeNs;
        }
    }

    /** Reads a point. */
    Point point(final int kind, final String bookmark, final long timeNs) {
        return switch (kind) {
            case BOOKMARK ->
                new Point(
                        bookmark, Bookmarks.sequences(bookmark, context.shards().count()), HistoryTask.NO_TIME);
            case TIME -> {
                if (timeNs == HistoryTask.NO_TIME) {
                    throw new Refusal(ErrorCode.BAD_QUERY, "sow: no such time: " + timeNs);
                }
                yield new Point("", null, timeNs);
            }
            default ->
                throw new Refusal(
                        ErrorCode.NOT_SUPPORTED, "sow: unknown point: " + kind + " (use now, a bookmark or a time)");
        };
    }

    /**
     * Starts a query, and calls back once it has.
     *
     * @throws Refusal when nothing was begun.
     */
    void start(
            final Session session,
            final QueryCommand command,
            final TopicPattern wanted,
            final @Nullable List<byte[]> keys,
            final Point point,
            final Runnable onStarted) {
        final List<Topic> topics = topics(session, wanted);
        final boolean[] isAsked = new boolean[context.shards().count()];
        int count = 0;
        for (final Topic topic : topics) {
            final int shard = topic.shard();
            if (!isAsked[shard]) {
                isAsked[shard] = true;
                count++;
                if (point.sequences != null && point.sequences[shard] < 0) {
                    throw new Refusal(
                            ErrorCode.BAD_QUERY,
                            "bookmark: " + point.text + " says nothing of shard " + shard + ", where " + topic.name()
                                    + " is (give a bookmark of it)");
                }
            }
        }
        final List<Locate> replies = new ArrayList<>();
        session.commands().pending(new PendingCommand(count, (of, reply) -> replies.add((Locate) reply), of -> {
            try {
                begin(of, command, topics, keys, point, replies);
                onStarted.run();
            } catch (final Refusal refusal) {
                context.refuse(of, command.commandId(), 0, 0, refusal.code(), refusal.text());
            }
        }));
        for (int shard = 0; shard < isAsked.length; shard++) {
            if (isAsked[shard]) {
                context.shards().submit(shard, new Locate(context.settings().ioAgent(), session.id(), shard));
            }
        }
    }

    private void begin(
            final Session session,
            final QueryCommand command,
            final List<Topic> topics,
            final @Nullable List<byte[]> keys,
            final Point point,
            final List<Locate> replies) {
        final long[] sequences = new long[context.shards().count()];
        for (final Locate reply : replies) {
            sequences[reply.shard()] = sequence(point, reply);
        }
        final int slot = session.slot();
        final HistoryTask task = new HistoryTask(topics, keys, point.timeNs, sequences, () -> {
            context.ready().mark(slot);
            context.queries().wakeOwner();
        });
        if (!context.queries().start(task)) {
            throw new Refusal(
                    ErrorCode.LIMIT_REACHED,
                    "sow: too many queries of the state as it was wait for their turn (ask again when some have"
                            + " ended)");
        }
        session.queries().histories().add(new HistoryQuery(command, task, context.nowNs()));
        context.onQueryBegun(session.profile().use());
    }

    private static long sequence(final Point point, final Locate reply) {
        if (point.sequences == null) {
            if (point.timeNs > reply.timeNs()) {
                throw new Refusal(
                        ErrorCode.BAD_QUERY, "sow: as of a time in the future (leave it out for the state as it is)");
            }
            return reply.newestSequence();
        }
        final long sequence = point.sequences[reply.shard()];
        if (sequence > reply.newestSequence()) {
            throw new Refusal(
                    ErrorCode.BOOKMARK_NOT_FOUND,
                    "bookmark: " + reply.shard() + ":" + sequence + " is not in the log, whose newest record is "
                            + reply.shard() + ":" + reply.newestSequence());
        }
        return sequence;
    }

    /** The topics asked for that have a history which their client may see. */
    private List<Topic> topics(final Session session, final TopicPattern wanted) {
        if (wanted.isLiteral()) {
            return List.of(topic(wanted.text()));
        }
        final List<Topic> topics = new ArrayList<>();
        for (final ShardPort port : context.shards().ports()) {
            for (final Topic topic : port.isJournaled() ? port.topics().snapshot() : new Topic[0]) {
                if (topic.state() != null
                        && wanted.matches(topic.name())
                        && context.topics().access(session, topic).rights().past() != null) {
                    topics.add(topic);
                }
            }
        }
        if (topics.isEmpty()) {
            throw new Refusal(
                    ErrorCode.NO_STATE,
                    "sow of " + wanted.text() + " as it was: no journaled topic with state (check the pattern)");
        }
        return topics;
    }

    private Topic topic(final String name) {
        final Topic topic = context.topics().find(name);
        if (topic == null || topic.state() == null) {
            throw new Refusal(
                    ErrorCode.NO_STATE,
                    "topic " + name + ": keeps no state (declare it with a key, or check the name)");
        }
        if (!context.shards().port(topic.shard()).isJournaled()) {
            throw new Refusal(
                    ErrorCode.NOT_SUPPORTED, "sow of " + name + " as it was: a topic in memory (have it journaled)");
        }
        return topic;
    }
}
