package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The views of a shard's topics, and which of them are not up to date. Owned by the sequencer. */
public final class Views {
    private final List<ComputedTopic> all = new ArrayList<>();

    /** Those that are not up to date, in their order. */
    private final DueHeap<ComputedTopic> changed = new DueHeap<>();

    private @Nullable ComputedTopic stopped;

    /** None yet. */
    Views() {}

    /** Adds a view of a topic to the topic that it is. */
    public void add(final ViewRule rule, final StateTopic source, final StateTopic target) {
        final View view = new View(rule, source, target, all.size());
        source.views.add(view);
        all.add(view);
        if (source.store.liveCount() > 0 || target.store.liveCount() > 0) {
            view.rebuild(source.store);
            changed.dueAt(view.changed, view.place);
        }
    }

    /** Adds a join of two topics to the topic that it is. */
    public void add(final ViewRule rule, final StateTopic left, final StateTopic right, final StateTopic target) {
        final JoinView view = new JoinView(rule, left, right, target, all.size());
        left.joins.add(view.left());
        right.joins.add(view.right());
        all.add(view);
        view.rebuild();
        changed.dueAt(view.changed, view.place);
    }

    /** Whether a topic is a view of an earlier run that was not declared in this one so far. */
    public boolean isUnused(final Topic known) {
        final StateRule rule = known.state();
        if (rule == null || !rule.isView()) {
            return false;
        }
        for (final ComputedTopic view : all) {
            if (view.isOf(known)) {
                return false;
            }
        }
        return true;
    }

    /** Whether some have still to be brought up to date; when no batch is open nothing else may change until then. */
    public boolean isLagging() {
        return changed.first() != null;
    }

    /** Throws when a view has stopped since the last call. */
    public void check() {
        final ComputedTopic view = stopped;
        if (view != null) {
            stopped = null;
            view.checkStopped();
        }
    }

    /** A record of a topic has changed. */
    void onChange(final StateTopic of, final long before, final long after) {
        for (int i = 0, size = of.views.size(); i < size; i++) {
            final View view = of.views.get(i);
            view.onChange(before, after);
            changed.dueAt(view.changed, view.place);
            if (view.isStopped()) {
                stopped = view;
            }
        }
        for (int i = 0, size = of.joins.size(); i < size; i++) {
            final JoinSide side = of.joins.get(i);
            side.onChange(before, after);
            changed.dueAt(side.view().changed, side.view().place);
        }
    }

    /** Brings them up to date, in their order, as far as there is room. */
    void apply(final ShardState state, final long timestampNs) {
        ComputedTopic view;
        while ((view = changed.first()) != null && view.apply(state, timestampNs)) {
            changed.dueAt(view.changed, DueHeap.NEVER);
            if (view.isStopped()) {
                stopped = view;
            }
        }
    }
}
