package io.penstock.broker.agent;

import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.query.column.ColumnBuild;
import io.penstock.broker.query.column.StoreColumns;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.store.ColumnMemory;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A topic of which columns are named, and how far these are. Confined to one query agent. */
final class NamedTopic {
    final Sequencer sequencer;
    final Topic topic;
    private List<FieldPath> names = List.of();
    private boolean isNamed;
    private boolean isUpToDate;
    private boolean hasMissed;
    private boolean isMade;
    private boolean isShort;
    private long seenSequence;
    private long beganNs;
    private int nextBlock;
    private final Set<FieldPath> left = new LinkedHashSet<>();
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
        if (nextBlock == 0) {
            seenSequence = lastSequence();
            isUpToDate = false;
            hasMissed = false;
            left.clear();
        }
    }

    /** Begins, or goes on. */
    ColumnBuild build(final ColumnKeeper.Opened opened, final long nowNs) {
        if (!isNamed) {
            opened.columns().name(names);
            isNamed = true;
        }
        return new ColumnBuild(opened.source().store(), opened.columns(), topic.format(), nextBlock, nowNs);
    }

    /** There is more to do. */
    void onPart(final ColumnBuild build) {
        nextBlock = build.block();
        hasMissed |= build.hasMissed();
        left.addAll(build.left());
    }

    /** All blocks were looked at. */
    void onPass(final ColumnBuild build, final ColumnKeeper.Opened opened, final EventLog events, final long nowNs) {
        onPart(build);
        nextBlock = 0;
        isUpToDate = !hasMissed && left.isEmpty();
        if (!left.isEmpty() && !isShort) {
            isShort = true;
            reportShort(opened.columns().memory(), events);
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
                    build.length(),
                    "ms",
                    TimeUnit.NANOSECONDS.toMillis(nowNs - beganNs));
        }
        reportNoUse(build, events);
    }

    private void reportShort(final ColumnMemory memory, final EventLog events) {
        events.report(
                EventKind.COLUMNS_SHORT,
                "topic",
                topic.name(),
                "shard",
                topic.shard(),
                "without",
                StoreColumns.text(new ArrayList<>(left)),
                "bytes",
                memory.length(),
                "remedy",
                "raise state.columnLengthMax, which is " + memory.lengthMax()
                        + ", or name fewer fields in topics.columns");
    }

    private void reportNoUse(final ColumnBuild build, final EventLog events) {
        for (final FieldPath field : build.ofNoUse()) {
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
