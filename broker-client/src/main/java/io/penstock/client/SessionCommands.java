package io.penstock.client;

import io.penstock.client.session.CommandFrame;
import io.penstock.transport.Connection;
import java.util.List;

/** The commands that a session offers to its broker, but for publishing. Confined as the session is. */
abstract class SessionCommands {
    /** Returned by offers when there is no room now, or the logon is not answered yet; try again after a poll. */
    public static final long BACK_PRESSURED = Connection.BACK_PRESSURED;

    /** Returned by offers when the session is not connected. */
    public static final long CLOSED = Connection.CLOSED;

    /**
     * Subscribes, and asks for a processed acknowledgement.
     *
     * @param subscriptionId unique on the connection.
     * @param request        what to.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerSubscribe(final long subscriptionId, final SubscribeRequest request) {
        return offerFrame(CommandFrame.subscribe(subscriptionId, request));
    }

    /**
     * Ends a subscription, and asks for a processed acknowledgement.
     *
     * @param subscriptionId as given with the subscribe.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerUnsubscribe(final long subscriptionId) {
        return offerFrame(CommandFrame.unsubscribe(subscriptionId));
    }

    /**
     * Asks for a completed acknowledgement when everything before is applied and handed to senders.
     *
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerFlush() {
        return offerFrame(CommandFrame.flush());
    }

    /**
     * Asks for the broker's counters, and then a completed acknowledgement.
     *
     * @param prefix of their names; empty = all.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerStat(final String prefix) {
        return offerFrame(CommandFrame.stat(prefix));
    }

    /**
     * Asks for the broker's topics, and then a completed acknowledgement.
     *
     * @param prefix of their names; empty = all.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerTopics(final String prefix) {
        return offerFrame(CommandFrame.topics(prefix));
    }

    /**
     * Creates a topic unless it is there, and asks for a processed acknowledgement.
     *
     * @param topic  its name.
     * @param format of its messages.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerDeclareTopic(final String topic, final String format) {
        return offerDeclareTopic(Topic.of(topic, format));
    }

    /**
     * Creates a topic unless it is there, and asks for a processed acknowledgement.
     *
     * @param topic as it is to be.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerDeclareTopic(final Topic topic) {
        return offerFrame(CommandFrame.declareTopic(topic));
    }

    /**
     * Subscribes in the place of a subscription of this connection, and asks for a processed acknowledgement.
     *
     * @param subscriptionId of the one that is replaced.
     * @param request        what to.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerReplace(final long subscriptionId, final SubscribeRequest request) {
        return offerFrame(CommandFrame.subscribe(subscriptionId, request, true));
    }

    /**
     * Queries state: the answer comes to {@link SessionListener#onRecord} and {@link SessionListener#onGroupEnd}, and
     * then a completed acknowledgement. {@link #offerUnsubscribe} with its id gives it up.
     *
     * @param queryId unique among the subscriptions and queries of the connection.
     * @param request what is asked.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerSow(final long queryId, final SowRequest request) {
        return offerFrame(CommandFrame.sow(queryId, request));
    }

    /**
     * Subscribes from a place of the log on, and asks for a processed and a completed acknowledgement. Before the first
     * of them {@link SessionListener#onReplayBegin} reports for each shard the sequence after which it begins.
     *
     * @param subscriptionId unique on the connection.
     * @param request        what to, and from where.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerSubscribeFrom(final long subscriptionId, final ReplayRequest request) {
        return offerFrame(CommandFrame.subscribeFrom(subscriptionId, request));
    }

    /**
     * Sets the rate of a subscription, and asks for a processed acknowledgement.
     *
     * @param subscriptionId as given with the subscribe.
     * @param rate           from now on.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerRate(final long subscriptionId, final ReplayRate rate) {
        return offerFrame(CommandFrame.rate(subscriptionId, rate));
    }

    /**
     * Pauses a subscription, or lets it go on, and asks for a processed acknowledgement. What is on its way already still
     * comes.
     *
     * @param subscriptionId as given with the subscribe.
     * @param isPaused       whether it is to deliver nothing from now on.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerPause(final long subscriptionId, final boolean isPaused) {
        return offerFrame(CommandFrame.pause(subscriptionId, isPaused));
    }

    /**
     * Deletes records, and asks for a stats acknowledgement.
     *
     * @param topic  with state.
     * @param filter that the records match; empty when keys are given.
     * @param keys   of the records: messages with the key fields, or keys where publishers give them; empty when a
     *               filter is given.
     * @return the command id, or {@link #BACK_PRESSURED}, or {@link #CLOSED}.
     */
    public long offerSowDelete(final String topic, final String filter, final List<String> keys) {
        return offerFrame(CommandFrame.sowDelete(topic, filter, keys));
    }

    /** Offers a command, whose bytes are free again on return. */
    abstract long offerFrame(CommandFrame frame);
}
