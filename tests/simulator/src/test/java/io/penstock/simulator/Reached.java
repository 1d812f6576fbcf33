package io.penstock.simulator;

import java.util.EnumMap;
import java.util.Map;

/** Counts the faults and the states that runs have come to. */
final class Reached {
    private static final int COLUMN_COUNT = 4;

    /** Of each state one number. */
    private final Map<State, long[]> counts = new EnumMap<>(State.class);

    /** What every set of seeds has to come to. */
    enum State {
        POWER_CUT,
        POWER_CUT_IN_WRITE,
        PROCESS_KILLED,
        PROCESS_KILLED_IN_WRITE,
        CRASH_AT_START,
        ORDERLY_RESTART,
        WRITE_DROPPED,
        WRITE_TORN,
        DIRECTORY_CHANGE_LOST,
        SYNC_FAILED,
        SYNC_FAILED_AND_LOST,
        WRITE_FAILED,
        DISK_FULL,
        DISK_GROWN,
        BIT_FLIPPED,
        DAMAGE_NAMED,
        DAMAGE_BEFORE_SNAPSHOT,
        DAMAGE_LIKE_TORN_TAIL,
        COMMIT_DAMAGED,
        HEAD_DAMAGED,
        FILE_MISSING,
        NEWEST_FILE_MISSING,
        LOG_MISSING,
        SNAPSHOT_DAMAGED,
        NO_SNAPSHOT_NAMED,
        SNAPSHOT_COMPARED,
        STARTED_FROM_SNAPSHOT,
        CONNECTION_LOST,
        FRAMES_LOST,
        BACK_PRESSURE,
        SLOW_CLIENT,
        TORN_TAIL,
        EMPTY_LOG,
        FILES_ROLLED,
        FILE_REMOVED,
        FILE_ARCHIVED,
        FILE_USED_AGAIN,
        LAST_GROUP_DAMAGED,
        JOURNAL_FULL,
        JOURNAL_FAILED,
        PERSISTED,
        RESENT,
        DUPLICATE_ON_PURPOSE,
        RECOVERED_RECORDS,
        UNACKNOWLEDGED_LOST,
        UNACKNOWLEDGED_KEPT,
        DELETED,
        EXPIRED,
        DELTA_MERGED,
        STATE_COMPARED,
        DURABLE_ANSWER,
        DURABLE_ANSWER_FAILED(false),
        PAST_COMPARED,
        PAST_AT_TIME,
        PAST_NOT_FOUND,
        VIEW_COMPARED,
        JOIN_COMPARED,
        JOIN_ROW_COMPARED,
        JOIN_ROW_WITHOUT_PAIR,
        JOIN_SUMS_COMPARED,
        WINDOW_COMPARED,
        WINDOW_ROW_COMPARED,
        WINDOW_ROW_GONE,
        FOLLOWER_COMPARED,
        STATE_SENT_AGAIN,
        OUT_OF_FOCUS,
        FELL_BEHIND,
        LISTENER_OVERTAKEN(false),
        REPLAY_FROM_BEGINNING,
        REPLAY_FROM_NOW,
        REPLAY_FROM_TIME,
        REPLAY_FROM_BOOKMARK,
        REPLAY_OF_RANGE,
        REPLAY_OF_PATTERN,
        REPLAY_LIVE,
        REPLAY_RATED,
        REPLAY_PAUSED,
        REPLAY_COMPLETED,
        REPLAY_COMPARED,
        HEADERS_COMPARED,
        REPLAY_OVERTAKEN,
        REPLAY_FELL_BEHIND(false),
        BOOKMARK_NOT_FOUND,
        RANGE_REVERSED,
        LIVE_MESSAGE_LOST,
        POLICY_ALWAYS,
        POLICY_INTERVAL,
        POLICY_OS,
        TWO_SHARDS;

        /** Whether a run of the tests has to come to it. */
        final boolean isRequired;

        State() {
            this(true);
        }

        State(final boolean isRequired) {
            this.isRequired = isRequired;
        }
    }

    void add(final State state) {
        add(state, 1);
    }

    void add(final State state, final long count) {
        if (count > 0) {
            counts.computeIfAbsent(state, key -> new long[1])[0] += count;
        }
    }

    long count(final State state) {
        final long[] count = counts.get(state);
        return count == null ? 0 : count[0];
    }

    void addAll(final Reached other) {
        other.counts.forEach((state, count) -> add(state, count[0]));
    }

    @Override
    public String toString() {
        final StringBuilder text = new StringBuilder();
        int column = 0;
        for (final State state : State.values()) {
            text.append(column == 0 ? "\nsimulator: " : "").append(String.format("%10d %-24s", count(state), state));
            column = (column + 1) % COLUMN_COUNT;
        }
        return text.toString();
    }
}
