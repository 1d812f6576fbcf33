package io.penstock.broker.shard.state;

import io.penstock.broker.shard.follow.StateFollowers;
import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageEditor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A topic with state, as its shard's sequencer has it. Small: there may be very many of them. */
public final class StateTopic {
    final Topic topic;
    final StateRule rule;
    final StateStore store;
    final RecordChange change;
    final @Nullable MessageEditor editor;

    /** Made for the first one. */
    private @Nullable StateFollowers followers;

    /** Its places among the topics of its shard that have something to do. */
    final DueHeap.Entry<StateTopic> expiring;

    final DueHeap.Entry<StateTopic> reclaimable = new DueHeap.Entry<>(this);

    /** Where it is among the topics with state of its shard. */
    int place;

    /** Views that are computed from it. */
    final List<View> views = new ArrayList<>();

    /** Joins that are computed from it and another one. */
    final List<JoinSide> joins = new ArrayList<>(0);

    StateTopic(final Topic topic, final StateRule rule, final StateStore store, final @Nullable MessageEditor editor) {
        this.topic = topic;
        this.rule = rule;
        this.store = store;
        change = new RecordChange(rule, store);
        this.editor = editor;
        expiring = new DueHeap.Entry<>(this, topic.id());
    }

    public StateRule rule() {
        return rule;
    }

    public Topic topic() {
        return topic;
    }

    public StateStore store() {
        return store;
    }

    /** Applies its records to the store. */
    public RecordChange change() {
        return change;
    }

    /** Its followers; null when there never was one. */
    @Nullable
    StateFollowers followers() {
        return followers;
    }

    void followers(final StateFollowers made) {
        followers = made;
    }

    boolean isSame(final @Nullable StateTopic other) {
        return other != null && topic.id() == other.topic.id();
    }

    boolean isFollowed() {
        return followers != null && !followers.isEmpty();
    }

    /** Whether a join looks at its records still. */
    boolean hasRunningJoin() {
        for (int i = 0; i < joins.size(); i++) {
            if (!joins.get(i).view().isStopped()) {
                return true;
            }
        }
        return false;
    }
}
