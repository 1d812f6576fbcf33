package io.penstock.broker.shard;

import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.topic.Topic;

/** Carries replies to the agents that wait for them. */
public interface ReplyListener {
    /** Returns false when there is no room now. */
    boolean onReply(ShardCommand command);

    /** A publisher's message was refused. Returns false when there is no room now. */
    boolean onRefused(Topic topic, Publication publication, StateRefusal reason, long used, long limit);

    /** There is always room: the replayer bounds what it asks for. */
    void onAttached(long feed, long position);
}
