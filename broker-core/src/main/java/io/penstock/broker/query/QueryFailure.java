package io.penstock.broker.query;

/** Why a query was given up. */
public enum QueryFailure {
    /** Its time was up. */
    TIMED_OUT,
    /** Versions that it needs no longer exist: the version budget was spent. */
    SNAPSHOT_TOO_OLD,
    /** The records that were to be brought together take too much memory. */
    TOO_MUCH_TO_SORT,
    /** The values by which one record is to be sorted are too long together. */
    SORT_KEY_TOO_LONG,
    /** A row that it computes is longer than a message may be. */
    ROW_TOO_LONG,
    /** There are more groups than an aggregate may have. */
    TOO_MANY_GROUPS,
    /** The different values that are counted take too much memory. */
    TOO_MANY_VALUES,
    /** There are more records in the right topic of a join than it may have. */
    TOO_MANY_TO_JOIN,
    /** A delete finds more records than are kept in mind for it. */
    TOO_MANY_TO_DELETE,
    /** All queries together take as much memory as they may. */
    NO_MEMORY,
    /** The broker has failed at it. */
    BROKEN,
    /** An administrator has ended it. */
    CANCELLED,
    /** Its records do not reach stable storage: the log has failed. */
    LOG_FAILED,
    /** Its client may see other records now. */
    PERMISSIONS_CHANGED
}
