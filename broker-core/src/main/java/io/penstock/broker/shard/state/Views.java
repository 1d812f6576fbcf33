package io.penstock.broker.shard.state;

import io.penstock.broker.shard.store.DueHeap;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.ViewRule;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/** The views of a shard's topics, and which of them are not up to date. Owned by the sequencer. */
public final class Views {
    /** Messages that leave views in a duty cycle because their time is up: more than come in one. */
    private static final int LEAVE_LIMIT = 2048;

    private static final int ROW_LENGTH_MAX_DEFAULT = 1 << 24;

    private final List<ComputedTopic> all = new ArrayList<>();

    /** Those that are not up to date, in their order. */
    private final DueHeap<ComputedTopic> changed = new DueHeap<>();

    private final MovingViews moving = new MovingViews();

    private final AtomicCounter windowCuts;
    private final AtomicCounter windowLength;
    private final int groupCountMax;
    private int pairCountMax = JoinView.PAIR_COUNT_MAX;
    private int rowLengthMax = ROW_LENGTH_MAX_DEFAULT;
    private long leftOutCount;
    private boolean isReportDue;
    private boolean isKept;

    /**
     * None yet.
     *
     * @param windowCuts   counts messages that leave views before their time.
     * @param windowLength of the memory of all windows, in bytes.
     */
    Views(final AtomicCounter windowCuts, final AtomicCounter windowLength) {
        this(windowCuts, windowLength, View.GROUP_COUNT_MAX);
    }

    /**
     * None yet.
     *
     * @param windowCuts    counts messages that leave views before their time.
     * @param windowLength  of the memory of all windows, in bytes.
     * @param groupCountMax groups that one view may have.
     */
    Views(final AtomicCounter windowCuts, final AtomicCounter windowLength, final int groupCountMax) {
        this.windowCuts = windowCuts;
        this.windowLength = windowLength;
        this.groupCountMax = groupCountMax;
    }

    /** How many pairs a record of a join may have that is added from now on. */
    void pairCountMax(final int count) {
        pairCountMax = count;
    }

    /** How long the rows of views may be that are added from now on, in bytes. */
    void rowLengthMax(final int length) {
        rowLengthMax = length;
    }

    /** How many rows were left out since the last call because they are too long. */
    long takeLeftOutCount() {
        final long count = leftOutCount;
        leftOutCount = 0;
        return count;
    }

    /**
     * Views that are added from now on are those of the log: their topics have the rows that they are to have, and a start
     * publishes none. A row that had no room is missing then as if there had been no start.
     */
    public void keepRows() {
        isKept = true;
    }

    /** Adds a view of a topic to the topic that it is. */
    public void add(final ViewRule rule, final StateTopic source, final StateTopic target) {
        final View view =
                new View(rule, source.topic.format(), target, all.size(), groupCountMax, rowLengthMax, isKept);
        source.views.add(view);
        all.add(view);
        if (source.store.liveCount() > 0 || target.store.liveCount() > 0) {
            view.rebuild(source.store);
            changed.dueAt(view.changed, view.place);
        }
    }

    /** Adds a join of two topics to the topic that it is. */
    public void add(final ViewRule rule, final StateTopic left, final StateTopic right, final StateTopic target) {
        final JoinView view = new JoinView(rule, left, right, target, all.size(), pairCountMax, rowLengthMax, isKept);
        left.joins.add(view.left());
        right.joins.add(view.right());
        all.add(view);
        view.rebuild();
        changed.dueAt(view.changed, view.place);
    }

    /**
     * Adds a view over the last messages of a topic to the topic that it is.
     *
     * @param rule    of the view.
     * @param source  with or without state.
     * @param target  that the view is.
     * @param history messages of an earlier run.
     * @param nowNs   time since 1970.
     */
    public void addMoving(
            final ViewRule rule,
            final Topic source,
            final StateTopic target,
            final MessageHistory history,
            final long nowNs) {
        final View view = new View(rule, source.format(), target, all.size(), groupCountMax, rowLengthMax, isKept);
        view.rebuild(source.id(), history, nowNs);
        moving.add(source.id(), view);
        all.add(view);
        onTouched(view);
    }

    /** Why a topic cannot be deleted, whose state is given if it has any. Null when it can. */
    @Nullable
    String use(final Topic topic, final @Nullable StateTopic state) {
        final StringJoiner names = new StringJoiner(", ", "views are computed from it: ", "").setEmptyValue("");
        for (final ComputedTopic view : of(topic, state)) {
            names.add(view.name());
        }
        if (names.length() > 0) {
            return names + " (take them out of the configuration first)";
        }
        return state != null && state.rule.isView() && !isUnused(topic)
                ? "it is a view (take it out of the configuration first)"
                : null;
    }

    /** What is computed from a topic, whose state is given if it has any. */
    private List<ComputedTopic> of(final Topic source, final @Nullable StateTopic state) {
        final List<ComputedTopic> found = new ArrayList<>();
        if (state != null) {
            found.addAll(state.views);
            state.joins.forEach(side -> found.add(side.view()));
        }
        final List<View> over = moving.of(source.id());
        if (over != null) {
            found.addAll(over);
        }
        return found;
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

    /** Throws when a view has stopped since the last call: once for each of them. */
    public void check() {
        if (isReportDue) {
            for (int i = 0, size = all.size(); i < size; i++) {
                if (all.get(i).isToBeReported()) {
                    all.get(i).checkStopped();
                }
            }
            isReportDue = false;
        }
    }

    /** A record of a topic has changed. What it was is only there if the topic has views of its own. */
    void onChange(final StateTopic of, final int row, final long before, final long after) {
        for (int i = 0, size = of.views.size(); i < size; i++) {
            final View view = of.views.get(i);
            view.onChange(before, after);
            onTouched(view);
        }
        for (int i = 0, size = of.joins.size(); i < size; i++) {
            final JoinSide side = of.joins.get(i);
            if (!side.view().isStopped()) {
                side.onChange(row, after);
                changed.dueAt(side.view().changed, side.view().place);
            }
        }
    }

    /** A message of a topic has come: a record of the log that says so. */
    public void onMessage(final int topicId, final DirectBuffer record, final int offset) {
        final List<View> views = moving.of(topicId);
        if (views == null) {
            return;
        }
        for (int i = 0, size = views.size(); i < size; i++) {
            final View view = views.get(i);
            final long cutCount = view.onMessage(record, offset);
            if (cutCount > 0) {
                windowCuts.getAndAddPlain(cutCount);
            }
            onTouched(view);
        }
    }

    private void onTouched(final View view) {
        changed.dueAt(view.changed, view.place);
        onMoved(view);
    }

    /** Messages of a view may have come or gone. */
    private void onMoved(final View view) {
        moving.schedule(view);
        final long lengthChange = view.takeLengthChange();
        if (lengthChange != 0) {
            windowLength.getAndAddPlain(lengthChange);
        }
        if (view.isToBeReported()) {
            isReportDue = true;
        }
    }

    /** Whether the time of a message is up that a view is about. */
    boolean mayLeave(final long nowNs) {
        return moving.dueNs() <= nowNs;
    }

    /** When {@link #mayLeave} holds next. */
    long leaveDueNs() {
        return moving.dueNs();
    }

    /** Takes messages out of views whose time is up, some at a time. Returns how many. */
    int leave(final long nowNs) {
        int left = LEAVE_LIMIT;
        View view;
        while (left > 0 && moving.dueNs() <= nowNs && (view = moving.first()) != null) {
            left -= view.evict(nowNs, left);
            onTouched(view);
        }
        return LEAVE_LIMIT - left;
    }

    /** Brings them up to date, in their order, as far as there is room. */
    void apply(final ShardState state, final long timestampNs) {
        ComputedTopic view;
        while ((view = changed.first()) != null && apply(view, state, timestampNs)) {
            changed.dueAt(view.changed, DueHeap.NEVER);
            if (view instanceof View of) {
                onMoved(of);
            } else if (view.isToBeReported()) {
                isReportDue = true;
            }
        }
    }

    private boolean apply(final ComputedTopic view, final ShardState state, final long timestampNs) {
        final boolean isDone = view.apply(state, timestampNs);
        leftOutCount += view.scratch.takeLeftOutCount();
        return isDone;
    }
}
