package io.penstock.broker.shard;

import io.penstock.broker.shard.command.ShardOperations;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.state.StateTopic;

/**
 * Applies commands of an order that several nodes make together. A command begins, its parts are applied, and it ends when all
 * that it causes is in the log. Without room the same part comes again later: what there is of the command is published
 * meanwhile, so that readers make room, and nothing else changes the log. Owned by the sequencer.
 */
public final class OrderedChanges {
    private final Shard shard;
    private final Batch batch;
    private final Publishing publishing;

    OrderedChanges(final Shard shard, final Batch batch, final Publishing publishing) {
        this.shard = shard;
        this.batch = batch;
        this.publishing = publishing;
    }

    /**
     * Begins a command. None is open.
     *
     * @param timeNs    of the order, since 1970. Time never falls: an earlier one than the last counts as the last one.
     * @param isForeign whether clients of another node have sent what is in it, who are not to be answered here.
     */
    public void begin(final long timeNs, final boolean isForeign) {
        batch.hold(timeNs, isForeign);
    }

    /**
     * Whether a message is one that its topic takes: with a record where the topic has state, and for no view.
     *
     * @param publication of it.
     * @return true for a topic that was deleted, too.
     */
    public boolean isFit(final Publication publication) {
        final StateTopic topic = shard.state().topic(publication.topicId());
        return topic == null
                ? !publication.hasRecord() || shard.topics().find(publication.topicId()) == null
                : publication.hasRecord()
                        && publication.keyLength() > 0
                        && !topic.rule().isView();
    }

    /**
     * Applies a message of the open command.
     *
     * @param publication of it.
     * @return false when there is no room now, and then nothing has changed.
     */
    public boolean apply(final Publication publication) {
        return shard.apply(publication);
    }

    /**
     * Whether the last message was dropped, because its publisher's sequence had been applied before.
     *
     * @return true when it was.
     */
    public boolean isDuplicate() {
        return shard.isDuplicate();
    }

    /**
     * The sequence of the last message.
     *
     * @return 0 when it was dropped or refused.
     */
    public long appliedSequence() {
        return shard.appliedSequence();
    }

    /**
     * What other commands are run on while one is open.
     *
     * @return operations of the shard.
     */
    public ShardOperations operations() {
        return shard.commands();
    }

    /**
     * Deletes what has expired at the time of the open command: one round.
     *
     * @return false when there is no room now: to be called again, until the round is whole.
     */
    public boolean expire() {
        return shard.state().expireRound(batch.timestampNs());
    }

    /** Lets readers see what there is of the open command. */
    public void publishSoFar() {
        publishing.publishSoFar();
    }

    /**
     * Ends the command: brings views up to date, and publishes.
     *
     * @return false when there is no room for all rows of views: to be called again.
     */
    public boolean end() {
        return publishing.endCommand();
    }

    /** Brings views further that are not up to date outside of any command, as after a start. */
    public void catchUpViews() {
        if (!batch.isHeld()) {
            shard.beginViews();
        }
    }

    /**
     * Bound of a message, the same on all nodes.
     *
     * @return bytes.
     */
    public int messageLengthMax() {
        return shard.state().messageLengthMax();
    }

    /**
     * When something expires next.
     *
     * @return since 1970; {@link Long#MAX_VALUE} for never.
     */
    public long dueNs() {
        return shard.state().expireDueNs();
    }
}
