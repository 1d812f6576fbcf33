package io.penstock.broker.security;

import java.util.function.ToLongFunction;

/**
 * What all sessions of one {@link Identity} may use together. Each bound is 0 for none; in a role also
 * {@link #UNSAID_VALUE}, for one of which the role says nothing. Immutable.
 *
 * @param connectionCountMax   connections that are logged on.
 * @param subscriptionCountMax subscriptions.
 * @param filterLengthMax      characters of the filters and patterns of all subscriptions together, filters in canonical form.
 * @param messagesPerSecondMax messages that are published.
 * @param bytesPerSecondMax    bytes of the frames in which they are published.
 * @param stagingLengthMax     room for long frames while they arrive, in bytes.
 * @param queryCountMax        queries at once, with those for the state of subscriptions.
 * @param queryMsPerMinuteMax  milliseconds of threads for queries, in each minute.
 */
public record IdentityQuotas(
        long connectionCountMax,
        long subscriptionCountMax,
        long filterLengthMax,
        long messagesPerSecondMax,
        long bytesPerSecondMax,
        long stagingLengthMax,
        long queryCountMax,
        long queryMsPerMinuteMax) {
    /** A bound of which a role says nothing. */
    public static final long UNSAID_VALUE = -1;

    /** Of the time of query threads: nine tenths, so that others have the rest. */
    private static final long QUERY_MS_OF_THREAD_DEFAULT = 54_000;

    /**
     * What holds when nothing is said: half of what an I/O agent has of connections and of queries at once; ten times the subscriptions
     * that one connection may have; no rate; of staging no more than the three quarters of it that each I/O agent gives to one identity;
     * and of the time of query threads a share, which is unsaid here.
     */
    public static final IdentityQuotas DEFAULTS =
            new IdentityQuotas(8_192, 100_000, 4 * 1024 * 1024, 0, 0, 0, 1_024, UNSAID_VALUE);

    /** No bound at all. */
    public static final IdentityQuotas UNBOUNDED = new IdentityQuotas(0, 0, 0, 0, 0, 0, 0, 0);

    /** What a role says that says nothing. */
    public static final IdentityQuotas UNSAID = new IdentityQuotas(
            UNSAID_VALUE,
            UNSAID_VALUE,
            UNSAID_VALUE,
            UNSAID_VALUE,
            UNSAID_VALUE,
            UNSAID_VALUE,
            UNSAID_VALUE,
            UNSAID_VALUE);

    /**
     * Refuses bounds below a number; of the time of queries nothing need be said.
     *
     * @param where before the name of the bound in the message.
     * @param min   lowest number.
     * @throws IllegalArgumentException with the bound.
     */
    public void check(final String where, final long min) {
        check(where + "connectionCountMax", connectionCountMax, min);
        check(where + "subscriptionCountMax", subscriptionCountMax, min);
        check(where + "filterLengthMax", filterLengthMax, min);
        check(where + "messagesPerSecondMax", messagesPerSecondMax, min);
        check(where + "bytesPerSecondMax", bytesPerSecondMax, min);
        check(where + "stagingLengthMax", stagingLengthMax, min);
        check(where + "queryCountMax", queryCountMax, min);
        check(where + "queryMsPerMinuteMax", queryMsPerMinuteMax, UNSAID_VALUE);
    }

    /** The same with a share of the time of query threads where nothing is said of it. */
    public IdentityQuotas ofQueryThreads(final int count) {
        return queryMsPerMinuteMax != UNSAID_VALUE
                ? this
                : new IdentityQuotas(
                        connectionCountMax,
                        subscriptionCountMax,
                        filterLengthMax,
                        messagesPerSecondMax,
                        bytesPerSecondMax,
                        stagingLengthMax,
                        queryCountMax,
                        count * QUERY_MS_OF_THREAD_DEFAULT);
    }

    private static void check(final String what, final long value, final long min) {
        if (value < min) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (use " + min + " to " + Long.MAX_VALUE + ", 0 for no bound)");
        }
    }

    /** Of each bound the higher one, none being the highest; what is said counts before what is not. */
    IdentityQuotas higher(final IdentityQuotas other) {
        return new IdentityQuotas(
                higher(other, IdentityQuotas::connectionCountMax),
                higher(other, IdentityQuotas::subscriptionCountMax),
                higher(other, IdentityQuotas::filterLengthMax),
                higher(other, IdentityQuotas::messagesPerSecondMax),
                higher(other, IdentityQuotas::bytesPerSecondMax),
                higher(other, IdentityQuotas::stagingLengthMax),
                higher(other, IdentityQuotas::queryCountMax),
                higher(other, IdentityQuotas::queryMsPerMinuteMax));
    }

    private long higher(final IdentityQuotas other, final ToLongFunction<IdentityQuotas> bound) {
        final long mine = bound.applyAsLong(this);
        final long others = bound.applyAsLong(other);
        return mine == 0 || others == 0 ? 0 : Math.max(mine, others);
    }

    /** These, and others where nothing is said. */
    IdentityQuotas orElse(final IdentityQuotas defaults) {
        return new IdentityQuotas(
                orElse(defaults, IdentityQuotas::connectionCountMax),
                orElse(defaults, IdentityQuotas::subscriptionCountMax),
                orElse(defaults, IdentityQuotas::filterLengthMax),
                orElse(defaults, IdentityQuotas::messagesPerSecondMax),
                orElse(defaults, IdentityQuotas::bytesPerSecondMax),
                orElse(defaults, IdentityQuotas::stagingLengthMax),
                orElse(defaults, IdentityQuotas::queryCountMax),
                orElse(defaults, IdentityQuotas::queryMsPerMinuteMax));
    }

    private long orElse(final IdentityQuotas defaults, final ToLongFunction<IdentityQuotas> bound) {
        final long mine = bound.applyAsLong(this);
        return mine == UNSAID_VALUE ? bound.applyAsLong(defaults) : mine;
    }
}
