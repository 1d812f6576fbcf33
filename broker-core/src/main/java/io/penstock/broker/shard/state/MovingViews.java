package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.topic.ByTopic;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The views over the last messages of topics: by their topics, so that a message costs nothing for others, and by when a
 * message leaves, so that nobody looks at those that none leaves. Owned by the sequencer.
 */
final class MovingViews {
    private final ByTopic<List<View>> byTopic = new ByTopic<>();
    private final DueHeap<View> leaving = new DueHeap<>();
    private boolean isUsed;

    /** None yet. */
    MovingViews() {}

    void add(final int sourceId, final View view) {
        isUsed = true;
        final List<View> present = byTopic.get(sourceId);
        final List<View> views = present == null ? new ArrayList<>() : present;
        views.add(view);
        byTopic.put(sourceId, views);
    }

    /** Those over messages of a topic, or null. */
    @Nullable
    List<View> of(final int sourceId) {
        return isUsed ? byTopic.get(sourceId) : null;
    }

    /** When the first message leaves. */
    long dueNs() {
        return leaving.dueAt();
    }

    /** The view that the first message leaves, or null. */
    @Nullable
    View first() {
        return leaving.first();
    }

    /** Messages of a view have come or gone. */
    void schedule(final View view) {
        leaving.dueAt(view.leaving, view.dueNs());
    }
}
