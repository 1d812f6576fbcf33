package io.penstock.broker.session.query;

import io.penstock.broker.query.OrderBy;
import io.penstock.broker.query.QueryFailure;
import io.penstock.broker.query.join.JoinTable;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.protocol.ErrorCode;

/** What clients are told when a query cannot be answered. */
public final class QueryRefusals {
    static final String TIMED_OUT_TEXT = ": took too long (ask for less, or for more time, up to state.queryTimeoutMs)";

    private QueryRefusals() {}

    /**
     * Why something could not be answered.
     *
     * @param subject what it is.
     * @param failure of its query.
     * @return for the client.
     */
    public static Refusal of(final String subject, final QueryFailure failure) {
        return new Refusal(code(failure), subject + text(failure));
    }

    private static ErrorCode code(final QueryFailure failure) {
        return switch (failure) {
            case TIMED_OUT, CANCELLED -> ErrorCode.QUERY_CANCELLED;
            case SNAPSHOT_TOO_OLD -> ErrorCode.SNAPSHOT_TOO_OLD;
            case TOO_MUCH_TO_SORT,
                    SORT_KEY_TOO_LONG,
                    ROW_TOO_LONG,
                    TOO_MANY_GROUPS,
                    TOO_MANY_VALUES,
                    TOO_MANY_TO_JOIN,
                    TOO_MANY_TO_DELETE,
                    NO_MEMORY -> ErrorCode.LIMIT_REACHED;
            case BROKEN -> ErrorCode.INTERNAL_ERROR;
            case LOG_FAILED -> ErrorCode.JOURNAL_FAILED;
            case PERMISSIONS_CHANGED -> ErrorCode.PERMISSIONS_CHANGED;
        };
    }

    private static String text(final QueryFailure failure) {
        return switch (failure) {
            case TIMED_OUT -> TIMED_OUT_TEXT;
            case CANCELLED -> ": ended by an administrator (ask for the reason before you ask again)";
            case SNAPSHOT_TOO_OLD ->
                ": versions it needs are gone, too much has changed since it began (ask for less, read"
                        + " faster, or raise state.versionLengthMax)";
            case TOO_MUCH_TO_SORT -> ": too much to sort (filter more, or use top_n)";
            case SORT_KEY_TOO_LONG ->
                ": what a record is to be sorted by is longer than " + OrderBy.KEY_LENGTH_MAX
                        + " bytes (order by fewer fields, or by shorter ones)";
            case ROW_TOO_LONG ->
                ": a computed row is longer than a message may be (select less, or raise"
                        + " sessions.messageLengthMax)";
            case TOO_MANY_GROUPS -> ": too many groups (filter more, or group by fields of fewer values)";
            case TOO_MANY_VALUES ->
                ": too many different values to count (filter more, or count those of another field)";
            case TOO_MANY_TO_JOIN ->
                ": more than " + JoinTable.COUNT_MAX + " records in the right topic of the join"
                        + " (join the other way round, or ask a view of both)";
            case TOO_MANY_TO_DELETE ->
                ": more records than one delete may have: their keys are longer than " + FoundVersions.LENGTH_MAX
                        + " bytes together; nothing was deleted (delete some at a time, by a filter that finds fewer)";
            case NO_MEMORY ->
                ": queries take all the memory that they may (filter more, group by shorter texts, or ask"
                        + " again when there are fewer)";
            case BROKEN -> ": the broker has failed at it (see its error log)";
            case LOG_FAILED ->
                ": the broker's disk has failed, and what the answer is made of may be lost (ask without"
                        + " durable, or when the broker was restarted)";
            case PERMISSIONS_CHANGED -> ": the permissions have changed meanwhile (ask again for what they allow now)";
        };
    }
}
