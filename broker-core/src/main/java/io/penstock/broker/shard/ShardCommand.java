package io.penstock.broker.shard;

import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.event.AdministrationReport;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.query.QuerySource;
import io.penstock.broker.security.IdentityCounts;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.FollowFields;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A command from a client's I/O agent to a shard's sequencer. It belongs to the sequencer from the moment it is
 * offered, and to the I/O agent again when it comes back as the reply; it is never shared.
 */
public abstract class ShardCommand implements IoNotice {
    /** Records that are deleted before the sequencer does other work. */
    private static final int DELETE_LIMIT = 512;

    final long sessionId;
    private final int ioAgent;

    ShardCommand(final int ioAgent, final long sessionId) {
        this.ioAgent = ioAgent;
        this.sessionId = sessionId;
    }

    public long sessionId() {
        return sessionId;
    }

    /**
     * Who gets the reply.
     *
     * @return index of the I/O agent.
     */
    public int ioAgent() {
        return ioAgent;
    }

    /**
     * Whether the I/O agent waits for the reply.
     *
     * @return false when nobody does.
     */
    public boolean isReplied() {
        return true;
    }

    /**
     * Runs the command. Called by the sequencer.
     *
     * @param shard to run on.
     * @return false when the log has no room now and the command has to be run again later.
     */
    public abstract boolean execute(ShardOperations shard);

    /** Creates a topic unless it is there. */
    public static final class OpenTopic extends ShardCommand {
        /** Whose topic is counted; empty when it was there before. */
        final String identity;

        final String name;
        final String format;
        private final @Nullable StateRule state;
        private final CreatedTopics createdTopics;

        /** Whether it was not there before. */
        boolean isCreated;

        /** Whether it was there before and is gone: it is to be asked for again, as somebody's. */
        boolean isGone;

        @Nullable
        Topic topic;

        public OpenTopic(
                final int ioAgent,
                final long sessionId,
                final String identity,
                final String name,
                final String format,
                final @Nullable StateRule state,
                final CreatedTopics createdTopics) {
            super(ioAgent, sessionId);
            this.identity = identity;
            this.name = name;
            this.format = format;
            this.state = state;
            this.createdTopics = createdTopics;
        }

        public boolean isGone() {
            return isGone;
        }

        public String identity() {
            return identity;
        }

        public boolean isCreated() {
            return isCreated;
        }

        public String name() {
            return name;
        }

        public @Nullable Topic topic() {
            return topic;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            topic = shard.findTopic(name);
            isGone = topic == null && identity.isEmpty();
            if (topic != null || isGone || shard.isTopicLimitReached()) {
                return true;
            }
            final Topic created = shard.createTopic(name, format, state);
            if (created == null) {
                return false;
            }
            topic = created;
            isCreated = true;
            createdTopics.onCreated(created, identity);
            return true;
        }
    }

    /** Gives a named publisher its number, a new one or the one it had. */
    public static final class OpenPublisher extends ShardCommand {
        public static final int LIMIT_REACHED = -1;
        public static final int QUOTA_REACHED = -2;

        final String name;
        final int shardIndex;
        int publisherId = LIMIT_REACHED;
        private final String identity;
        private final IdentityCounts createdPublishers;
        private boolean isCounted;

        /**
         * @param identity          whose name it is, when it is a new one.
         * @param createdPublishers counts new names.
         */
        public OpenPublisher(
                final int ioAgent,
                final long sessionId,
                final int shardIndex,
                final String name,
                final String identity,
                final IdentityCounts createdPublishers) {
            super(ioAgent, sessionId);
            this.name = name;
            this.shardIndex = shardIndex;
            this.identity = identity;
            this.createdPublishers = createdPublishers;
        }

        public int publisherId() {
            return publisherId;
        }

        public int shardIndex() {
            return shardIndex;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            // It stays counted while it waits for room in the log: nothing else of the shard runs until then.
            if (!isCounted && shard.findPublisher(name) == 0) {
                if (shard.isPublisherLimitReached()) {
                    publisherId = LIMIT_REACHED;
                    return true;
                }
                if (!createdPublishers.take(identity)) {
                    publisherId = QUOTA_REACHED;
                    return true;
                }
                isCounted = true;
            }
            publisherId = shard.openPublisher(name);
            return publisherId != 0;
        }
    }

    /** Asks for the highest sequence that was applied for a named publisher. */
    public static final class FindPublisher extends ShardCommand {
        final String name;
        long lastSequence;

        public FindPublisher(final int ioAgent, final long sessionId, final String name) {
            super(ioAgent, sessionId);
            this.name = name;
        }

        public long lastSequence() {
            return lastSequence;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            lastSequence = shard.lastSequence(shard.findPublisher(name));
            return true;
        }
    }

    /** Takes back that sequences of a named publisher were applied. */
    public static final class ResetPublisher extends ShardCommand {
        final String name;
        final long publisherSequence;

        /** Of all shards; the I/O agent's alone. */
        final AdministrationReport report;

        /** Whether the shard knows the publisher. */
        boolean isKnown;

        public ResetPublisher(
                final int ioAgent,
                final long sessionId,
                final String name,
                final long publisherSequence,
                final AdministrationReport report) {
            super(ioAgent, sessionId);
            this.name = name;
            this.publisherSequence = publisherSequence;
            this.report = report;
        }

        public AdministrationReport report() {
            return report;
        }

        public boolean isKnown() {
            return isKnown;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            final int publisherId = shard.findPublisher(name);
            isKnown = publisherId > 0;
            return !isKnown || shard.resetPublisher(publisherId, publisherSequence);
        }
    }

    /** Adds one part of a subscription, from the next record on; the state before may be asked for with it. */
    public static final class Subscribe extends ShardCommand {
        final Interest interest;
        final long replacedPart;
        final boolean withState;
        final List<QuerySource> sources = new ArrayList<>();

        /** Where the log is to be read from after the state was sent. */
        long startPosition;

        long startSequence;

        /** Whether the topic keeps no state, so that nothing was done. */
        boolean isStateless;

        /** Whether the fields are those of a topic that had the name before, so that nothing was done. */
        boolean isOfAnother;

        /** Whether nothing is described until the state was sent. */
        boolean held;

        /** Whether the client did not ask for this, but had fallen behind. */
        final boolean resync;

        /**
         * Whether not all that comes before it was described, so that it waits: held when it follows state, else unknown to
         * the shard.
         */
        boolean isWaiting;

        private final @Nullable Filter filter;
        private final @Nullable FollowFields fields;
        private final DescriptorRing ring;

        /**
         * @param filter       of the interest; null for everything.
         * @param fields       of the topic that it follows; null when it follows none, or there is no such topic.
         * @param replacedPart ends as this one starts; 0 for none.
         * @param waits        whether it waits for others whose place was taken before, whatever becomes of that one.
         * @param withState    whether the state is sent first: the subscription waits until then.
         * @param resync       whether the client did not ask for this, but had fallen behind.
         */
        public Subscribe(
                final int ioAgent,
                final Interest interest,
                final @Nullable Filter filter,
                final @Nullable FollowFields fields,
                final DescriptorRing ring,
                final long replacedPart,
                final boolean waits,
                final boolean withState,
                final boolean resync) {
            super(ioAgent, interest.sessionId());
            this.interest = interest;
            this.filter = filter;
            this.fields = fields;
            this.ring = ring;
            this.replacedPart = replacedPart;
            isWaiting = waits;
            this.withState = withState;
            this.resync = resync;
        }

        public boolean isOfAnother() {
            return isOfAnother;
        }

        public long startPosition() {
            return startPosition;
        }

        public boolean held() {
            return held;
        }

        public long startSequence() {
            return startSequence;
        }

        public boolean isWaiting() {
            return isWaiting;
        }

        public long replacedPart() {
            return replacedPart;
        }

        public boolean isStateless() {
            return isStateless;
        }

        public Interest interest() {
            return interest;
        }

        public List<QuerySource> sources() {
            return sources;
        }

        public boolean resync() {
            return resync;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            final boolean hasState = shard.hasState(interest.topics());
            isOfAnother = hasState && !isOfTopic(shard);
            isStateless = !hasState
                    && (interest.follow() != null
                            || (withState && interest.topics().isLiteral()));
            if (isStateless || isOfAnother) {
                if (resync && replacedPart != 0) {
                    // It is of no use to its client, which is told so, or sent another topic's state.
                    shard.unsubscribe(replacedPart);
                }
                return true;
            }
            held = withState && hasState;
            if (withState && replacedPart != 0) {
                shard.unsubscribe(replacedPart);
            } else if (replacedPart != 0 && !shard.leave(replacedPart)) {
                isWaiting = true;
            }
            if (held) {
                shard.openSources(interest.topics(), null, sources);
            }
            if (!isWaiting || interest.follow() != null) {
                startPosition = shard.subscribe(interest, filter, fields, ring, held || isWaiting);
            }
            startSequence = shard.newestSequence() + 1;
            return true;
        }

        /** Whether what was made for it is of the topic that has the name now, which may not have been there then. */
        private boolean isOfTopic(final ShardOperations shard) {
            return interest.follow() == null
                    || (fields != null
                            && fields.isOf(shard.findTopic(interest.topics().text())));
        }
    }

    /** Ends one part of a subscription that was replaced by one with no part in this shard. */
    public static final class Leave extends ShardCommand {
        final long part;

        /** Whether all that it is to get was described. */
        boolean isDescribed;

        /** The first record that is not for it. */
        long endSequence;

        public Leave(final int ioAgent, final long sessionId, final long part) {
            super(ioAgent, sessionId);
            this.part = part;
        }

        public long endSequence() {
            return endSequence;
        }

        public boolean isDescribed() {
            return isDescribed;
        }

        public long part() {
            return part;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            isDescribed = shard.leave(part);
            endSequence = shard.newestSequence() + 1;
            return true;
        }
    }

    /**
     * Says where the log is for one part of a subscription that is served by a cursor, and adds the part if it is to go
     * live later.
     */
    public static final class Hold extends ShardCommand {
        final Interest interest;

        /** Whether the client did not ask for this, but had fallen behind. */
        final boolean isDiverted;

        /** The newest record there is, and the oldest one that the window has. */
        long newestSequence;

        long oldestSequence;

        /** The time of the shard's clock, since 1970. */
        long timeNs;

        private final @Nullable Filter filter;
        private final @Nullable DescriptorRing ring;
        private final long replacedPart;

        /**
         * @param filter       of the interest; null for everything.
         * @param ring         for when it goes live; null when it never does.
         * @param replacedPart ends as this one starts; 0 for none.
         * @param isDiverted   whether the client did not ask for this.
         */
        public Hold(
                final int ioAgent,
                final Interest interest,
                final @Nullable Filter filter,
                final @Nullable DescriptorRing ring,
                final long replacedPart,
                final boolean isDiverted) {
            super(ioAgent, interest.sessionId());
            this.interest = interest;
            this.filter = filter;
            this.ring = ring;
            this.replacedPart = replacedPart;
            this.isDiverted = isDiverted;
        }

        public long timeNs() {
            return timeNs;
        }

        public long newestSequence() {
            return newestSequence;
        }

        public long oldestSequence() {
            return oldestSequence;
        }

        public Interest interest() {
            return interest;
        }

        public boolean isDiverted() {
            return isDiverted;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            if (replacedPart != 0) {
                shard.unsubscribe(replacedPart);
            }
            if (ring != null) {
                shard.subscribe(interest, filter, null, ring, true);
            }
            newestSequence = shard.newestSequence();
            oldestSequence = shard.oldestSequence();
            timeNs = shard.timeNs();
            return true;
        }
    }

    /** The client of a subscription has been sent the state. */
    public static final class Resume extends ShardCommand {
        private final long part;

        public Resume(final int ioAgent, final long sessionId, final long part) {
            super(ioAgent, sessionId);
            this.part = part;
        }

        @Override
        public boolean isReplied() {
            return false;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            shard.resume(part);
            return true;
        }
    }

    /** Says where the log is now. */
    public static final class Locate extends ShardCommand {
        final int shard;

        /** The newest record there is. */
        long newestSequence;

        /** The time of the shard's clock, since 1970; what it takes later is not before it. */
        long timeNs;

        public Locate(final int ioAgent, final long sessionId, final int shard) {
            super(ioAgent, sessionId);
            this.shard = shard;
        }

        public long newestSequence() {
            return newestSequence;
        }

        public long timeNs() {
            return timeNs;
        }

        public int shard() {
            return shard;
        }

        @Override
        public boolean execute(final ShardOperations operations) {
            newestSequence = operations.newestSequence();
            timeNs = operations.timeNs();
            return true;
        }
    }

    /** Opens snapshots of the topics that a query looks at. */
    public static final class OpenQuery extends ShardCommand {
        final TopicPattern topics;
        final List<QuerySource> sources = new ArrayList<>();
        private final @Nullable List<byte[]> keys;

        public OpenQuery(
                final int ioAgent, final long sessionId, final TopicPattern topics, final @Nullable List<byte[]> keys) {
            super(ioAgent, sessionId);
            this.topics = topics;
            this.keys = keys;
        }

        public List<QuerySource> sources() {
            return sources;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            shard.openSources(topics, keys, sources);
            return true;
        }
    }

    /** Closes the snapshots of a query. */
    public static final class CloseQuery extends ShardCommand {
        private final List<QuerySource> sources;

        public CloseQuery(final int ioAgent, final long sessionId, final List<QuerySource> sources) {
            super(ioAgent, sessionId);
            this.sources = List.copyOf(sources);
        }

        @Override
        public boolean isReplied() {
            return false;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            shard.closeSources(sources);
            return true;
        }
    }

    /** Deletes records by their keys, or those that a query has found. */
    public static final class Delete extends ShardCommand {
        final String topic;
        final @Nullable List<byte[]> keys;

        /** The topic in which the query has found them: another one may have its name by now. */
        private final int topicId;

        /** Rows that a query has found, each with the version that it found. */
        final LongArrayList found;

        /** What the query looked for; a record that has changed since has to match it still. Null for anything. */
        private final @Nullable Filter filter;

        /** How many were deleted so far. */
        long deleted;

        /** How far the command has come, when the log had no room for more. */
        int next;

        public Delete(
                final int ioAgent,
                final long sessionId,
                final String topic,
                final @Nullable List<byte[]> keys,
                final int topicId,
                final LongArrayList found,
                final @Nullable Filter filter) {
            super(ioAgent, sessionId);
            this.topic = topic;
            this.topicId = topicId;
            this.keys = keys;
            this.found = found;
            this.filter = filter;
        }

        public long deleted() {
            return deleted;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            final int count = keys == null ? found.size() / 2 : keys.size();
            for (int i = 0; next < count && i < DELETE_LIMIT; i++) {
                final int done = keys == null
                        ? shard.delete(topicId, (int) found.getLong(2 * next), found.getLong(2 * next + 1), filter)
                        : shard.delete(topic, keys.get(next));
                if (done < 0) {
                    return false;
                }
                deleted += done;
                next++;
            }
            return next == count;
        }
    }

    /** Removes one part of a subscription. */
    public static final class Unsubscribe extends ShardCommand {
        final long part;
        private final boolean replied;

        public Unsubscribe(final int ioAgent, final long sessionId, final long part, final boolean replied) {
            super(ioAgent, sessionId);
            this.part = part;
            this.replied = replied;
        }

        @Override
        public boolean isReplied() {
            return replied;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            shard.unsubscribe(part);
            return true;
        }
    }

    /** Forgets a client that is gone. */
    public static final class CloseSession extends ShardCommand {
        public CloseSession(final int ioAgent, final long sessionId) {
            super(ioAgent, sessionId);
        }

        @Override
        public boolean isReplied() {
            return false;
        }

        @Override
        public boolean execute(final ShardOperations shard) {
            shard.removeSession(sessionId);
            return true;
        }
    }
}
