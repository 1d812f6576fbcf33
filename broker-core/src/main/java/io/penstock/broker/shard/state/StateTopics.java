package io.penstock.broker.shard.state;

import io.penstock.broker.topic.ByTopic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The topics with state of a shard. Owned by the sequencer. */
final class StateTopics {
    private final List<StateTopic> all = new ArrayList<>();
    private final ByTopic<StateTopic> byId = new ByTopic<>();

    /** Read by any thread, for what any thread may ask of a topic. */
    private final ConcurrentHashMap<String, StateTopic> byName = new ConcurrentHashMap<>();

    private final AtomicBoolean isUsed = new AtomicBoolean();

    /** Whether there was ever a topic, so that memory is taken. Called from any thread. */
    boolean isUsed() {
        return isUsed.get();
    }

    void add(final StateTopic topic) {
        isUsed.set(true);
        topic.place = all.size();
        all.add(topic);
        byId.put(topic.topic.id(), topic);
        byName.put(topic.topic.name(), topic);
    }

    void remove(final StateTopic topic) {
        byId.put(topic.topic.id(), null);
        byName.remove(topic.topic.name());
        final StateTopic last = all.remove(all.size() - 1);
        if (last != topic) {
            all.set(topic.place, last);
            last.place = topic.place;
        }
    }

    @Nullable
    StateTopic get(final int topicId) {
        return byId.get(topicId);
    }

    @Nullable
    StateTopic find(final String name) {
        return byName.get(name);
    }

    /** All of them, in no order. */
    List<StateTopic> all() {
        return all;
    }
}
