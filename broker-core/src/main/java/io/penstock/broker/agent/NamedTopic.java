package io.penstock.broker.agent;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.query.column.ColumnBuild;
import io.penstock.broker.query.column.StoreColumns;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.store.ColumnMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldPath;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A topic of which columns are named, and how far these are. Confined to one query agent. */
final class NamedTopic {
    final Sequencer sequencer;
    final Topic topic;
    private List<FieldPath> names = List.of();
    private boolean isNamed;
    private boolean isUpToDate;
    private boolean isMade;
    private boolean isShort;
    private long seenSequence;
    private long beganNs;
    private @Nullable ColumnBuild build;
    private final Set<FieldPath> ofNoUse = new LinkedHashSet<>();

    NamedTopic(final Sequencer sequencer, final Topic topic) {
        this.sequencer = sequencer;
        this.topic = topic;
    }

    /** These are its names from now on. */
    void name(final List<FieldPath> fields, final long nowNs) {
        if (!fields.equals(names)) {
            names = fields;
            isMade = false;
            isShort = false;
            ofNoUse.clear();
            beganNs = nowNs;
        }
        isNamed = false;
        isUpToDate = false;
    }

    /** Whether nothing is named any more, and its columns know that. */
    boolean isOver() {
        return names.isEmpty() && isNamed;
    }

    /** Whether nothing has changed since its columns were brought up to date. */
    boolean isUpToDate() {
        return isUpToDate && isNamed && seenSequence == lastSequence();
    }

    private long lastSequence() {
        return sequencer.shard().counters().lastSequence().get();
    }

    /** A snapshot is going to be opened. */
    void onOpening() {
        if (build == null) {
            seenSequence = lastSequence();
            isUpToDate = false;
        }
    }

    /** Begins a pass, or goes on with one. */
    ColumnBuild build(final StateStore store, final StoreColumns columns) {
        if (!isNamed) {
            columns.name(names);
            isNamed = true;
            build = null;
        }
        final ColumnBuild present = build;
        if (present != null) {
            return present;
        }
        final ColumnBuild begun = new ColumnBuild(store, columns, topic.format());
        build = begun;
        return begun;
    }

    /** A pass has failed, and begins anew. */
    void onFailed() {
        build = null;
    }

    /** A pass is done. */
    void onPass(final ColumnKeeper.Opened opened, final ColumnBuild done, final EventLog events, final long nowNs) {
        build = null;
        // Those that an administrator has dropped meanwhile are not wanted any more.
        final List<FieldPath> wanted = opened.columns().names();
        final List<FieldPath> left =
                done.left().stream().filter(wanted::contains).toList();
        isUpToDate = !done.hasMissed() && left.isEmpty();
        if (!left.isEmpty() && !isShort) {
            isShort = true;
            reportShort(left, opened.columns().memory(), events);
        }
        if (isUpToDate) {
            isShort = false;
        }
        if (isUpToDate && !isMade && !names.isEmpty()) {
            isMade = true;
            events.report(
                    EventKind.COLUMNS_MADE,
                    "topic",
                    topic.name(),
                    "shard",
                    topic.shard(),
                    "fields",
                    StoreColumns.text(opened.columns().names()),
                    "rows",
                    opened.source().store().liveCount(),
                    "bytes",
                    opened.columns().namedLength(),
                    "ms",
                    TimeUnit.NANOSECONDS.toMillis(nowNs - beganNs));
        }
        reportNoUse(opened.columns(), events);
    }

    private void reportShort(final List<FieldPath> left, final ColumnMemory memory, final EventLog events) {
        events.report(
                EventKind.COLUMNS_SHORT,
                "topic",
                topic.name(),
                "shard",
                topic.shard(),
                "without",
                StoreColumns.text(left),
                "bytes",
                memory.length(),
                "remedy",
                "raise state.columnLengthMax, which is " + memory.lengthMax()
                        + ", or name fewer fields in topics.columns");
    }

    private void reportNoUse(final StoreColumns columns, final EventLog events) {
        for (final FieldPath field : columns.namedOfNoUse()) {
            if (ofNoUse.add(field)) {
                events.report(
                        EventKind.COLUMN_OF_NO_USE,
                        "topic",
                        topic.name(),
                        "shard",
                        topic.shard(),
                        "field",
                        StoreColumns.text(List.of(field)),
                        "remedy",
                        "take it out of topics.columns");
            }
        }
    }
}
