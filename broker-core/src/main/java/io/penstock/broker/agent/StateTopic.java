package io.penstock.broker.agent;

import io.penstock.broker.format.MessageEditor;
import io.penstock.broker.match.StateFollowers;
import io.penstock.broker.state.StateStore;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A topic with state, as its shard's sequencer has it. */
final class StateTopic {
    final Topic topic;
    final StateRule rule;
    final StateStore store;
    final StateFollowers followers;
    final @Nullable MessageEditor editor;

    /** What is computed from it. */
    final List<View> views = new ArrayList<>();

    StateTopic(final Topic topic, final StateRule rule, final StateStore store, final StateFollowers followers) {
        this.topic = topic;
        this.rule = rule;
        this.store = store;
        this.followers = followers;
        editor = topic.format().newEditor();
    }
}
