package io.penstock.broker.agent;

import io.penstock.broker.match.StateFollowers;
import io.penstock.broker.state.DueHeap;
import io.penstock.broker.state.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageEditor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A topic with state, as its shard's sequencer has it. Small: there may be very many of them. */
final class StateTopic {
    final Topic topic;
    final StateRule rule;
    final StateStore store;
    final @Nullable MessageEditor editor;

    /** Made for the first one. */
    private @Nullable StateFollowers followers;

    /** Its places among the topics of its shard that have something to do. */
    final DueHeap.Entry<StateTopic> expiring = new DueHeap.Entry<>(this);

    final DueHeap.Entry<StateTopic> reclaimable = new DueHeap.Entry<>(this);

    /** Where it is among the topics with state of its shard. */
    int place;

    /** What is computed from it. */
    final List<View> views = new ArrayList<>();

    StateTopic(final Topic topic, final StateRule rule, final StateStore store, final @Nullable MessageEditor editor) {
        this.topic = topic;
        this.rule = rule;
        this.store = store;
        this.editor = editor;
    }

    /** Those who follow it; null when nobody ever has. */
    @Nullable
    StateFollowers followers() {
        return followers;
    }

    void followers(final StateFollowers made) {
        followers = made;
    }

    boolean isFollowed() {
        return followers != null && !followers.isEmpty();
    }
}
