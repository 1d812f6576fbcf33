package io.penstock.broker.security;

import io.penstock.broker.staging.StagingBound;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What all sessions of one {@link Identity} use at present, and what they may. Safe on any thread; looking at rates and
 * counting messages allocates nothing.
 */
public final class IdentityUse implements StagingBound {
    private final String identity;
    private final AtomicReference<IdentityQuotas> quotas;

    /** By whom the bounds are decided: who logged on last. */
    private final AtomicReference<Principal> principal;

    private final AtomicLong connections = new AtomicLong();
    private final AtomicLong subscriptions = new AtomicLong();
    private final AtomicLong filterLength = new AtomicLong();
    private final AtomicLong stagingLength = new AtomicLong();
    private final AtomicLong queries = new AtomicLong();
    private final RateBucket messages;
    private final RateBucket bytes;
    private final RateBucket queryTime;

    IdentityUse(final String identity, final Principal principal, final long nowNs) {
        this.identity = identity;
        this.principal = new AtomicReference<>(principal);
        quotas = new AtomicReference<>(IdentityQuotas.UNBOUNDED);
        messages = new RateBucket(TimeUnit.SECONDS.toNanos(1), nowNs);
        bytes = new RateBucket(TimeUnit.SECONDS.toNanos(1), nowNs);
        queryTime = new RateBucket(TimeUnit.MINUTES.toNanos(1), nowNs);
    }

    /** Use of a client that is not known yet: nothing of it is counted. */
    public static IdentityUse ofNobody() {
        return new IdentityUse("nobody", Principal.ANONYMOUS, 0);
    }

    /** Whose it is. */
    public String identity() {
        return identity;
    }

    /** The bounds that hold now. */
    public IdentityQuotas quotas() {
        final IdentityQuotas present = quotas.get();
        return present == null ? IdentityQuotas.UNBOUNDED : present;
    }

    /** Takes other bounds; what is owed is owed by them. */
    void quotas(final IdentityQuotas value, final long nowNs) {
        final IdentityQuotas before = quotas();
        quotas.set(value);
        messages.rateChanged(before.messagesPerSecondMax(), value.messagesPerSecondMax(), nowNs);
        bytes.rateChanged(before.bytesPerSecondMax(), value.bytesPerSecondMax(), nowNs);
        queryTime.rateChanged(before.queryMsPerMinuteMax(), value.queryMsPerMinuteMax(), nowNs);
    }

    Principal principal() {
        final Principal present = principal.get();
        return present == null ? Principal.ANONYMOUS : present;
    }

    void principal(final Principal value) {
        principal.set(value);
    }

    /** Whether nothing would be different if it began anew. */
    boolean isUnused(final long nowNs) {
        return connections.get() == 0
                && stagingLength.get() == 0
                && queries.get() == 0
                && messages.isFull(nowNs)
                && bytes.isFull(nowNs)
                && queryTime.isFull(nowNs);
    }

    /** Counts another connection, unless there may be no more; one that takes another's place may always be. */
    boolean takeConnection(final boolean isInPlaceOfAnother) {
        return take(connections, 1, isInPlaceOfAnother ? 0 : quotas().connectionCountMax());
    }

    void giveConnectionBack() {
        connections.decrementAndGet();
    }

    /** Connections that it has. */
    public long connectionCount() {
        return connections.get();
    }

    /** Why there may be no other connection. */
    public String connectionRefusal() {
        return "logon: no more connections of " + identity + ", which has " + connections.get()
                + " (close others, or raise " + remedy("connectionCountMax") + ")";
    }

    /**
     * Counts another subscription, unless there may be no more or its filter is too much.
     *
     * @param length   of its filter in characters.
     * @param replaced what a subscription holds that ends for it.
     * @return what it holds; null when it is refused.
     */
    public @Nullable Lease takeSubscription(final int length, final Lease replaced) {
        if (!take(subscriptions, 1, replaced.isOpen ? 0 : quotas().subscriptionCountMax())) {
            return null;
        }
        final long replacedLength = replaced.isOpen ? replaced.length : 0;
        final long lengthMax = quotas().filterLengthMax();
        if (length > 0 && !take(filterLength, length, lengthMax == 0 ? 0 : lengthMax + replacedLength)) {
            subscriptions.decrementAndGet();
            return null;
        }
        return new Lease(this, length);
    }

    /** Why there may be no other subscription with a filter of so many characters. */
    public String subscriptionRefusal(final int length) {
        final long countMax = quotas().subscriptionCountMax();
        return countMax > 0 && subscriptions.get() >= countMax
                ? "subscribe: no more subscriptions of " + identity + ", which has " + subscriptions.get()
                        + " (unsubscribe, or raise " + remedy("subscriptionCountMax") + ")"
                : "subscribe: the filters of " + identity + " would be too long: " + filterLength.get() + " + " + length
                        + " characters (filter by less, unsubscribe, or raise " + remedy("filterLengthMax") + ")";
    }

    /** Subscriptions that it has. */
    public long subscriptionCount() {
        return subscriptions.get();
    }

    /** Characters of the filters of its subscriptions. */
    public long filterLength() {
        return filterLength.get();
    }

    /** Whether it has published more than it may, so that no more is read now. */
    public boolean isOverRate(final long nowNs) {
        final IdentityQuotas present = quotas();
        return (present.messagesPerSecondMax() > 0 && messages.emptyForNs(nowNs) > 0)
                || (present.bytesPerSecondMax() > 0 && bytes.emptyForNs(nowNs) > 0);
    }

    /** It has published a message, in a frame of some bytes. */
    public void onPublished(final int frameLength, final long nowNs) {
        final IdentityQuotas present = quotas();
        if (present.messagesPerSecondMax() > 0) {
            messages.take(1, present.messagesPerSecondMax(), nowNs);
        }
        if (present.bytesPerSecondMax() > 0) {
            bytes.take(frameLength, present.bytesPerSecondMax(), nowNs);
        }
    }

    @Override
    public boolean take(final int length) {
        return take(stagingLength, length, stagingLengthMax(length));
    }

    @Override
    public boolean hasRoom(final int length, final long givenBack) {
        final long lengthMax = stagingLengthMax(length);
        return lengthMax == 0 || stagingLength.get() - givenBack + length <= lengthMax;
    }

    /** What is longer than the bound has to find room some time, and does when it is alone. */
    private long stagingLengthMax(final int length) {
        final long lengthMax = quotas().stagingLengthMax();
        return lengthMax == 0 ? 0 : Math.max(lengthMax, length);
    }

    @Override
    public void giveBack(final int length) {
        stagingLength.addAndGet(-length);
    }

    /** Room for long frames that it has. */
    public long stagingLength() {
        return stagingLength.get();
    }

    /** Why there may be no other query; null when there may be one. */
    public @Nullable String queryRefusal(final long nowNs) {
        final IdentityQuotas present = quotas();
        if (present.queryCountMax() > 0 && queries.get() >= present.queryCountMax()) {
            return "query: no more queries of " + identity + ", of which " + queries.get()
                    + " are running (ask again when some have ended, or raise " + remedy("queryCountMax") + ")";
        }
        final long emptyForNs = present.queryMsPerMinuteMax() > 0 ? queryTime.emptyForNs(nowNs) : 0;
        return emptyForNs == 0
                ? null
                : "query: the queries of " + identity + " have taken more than " + present.queryMsPerMinuteMax()
                        + " ms in a minute (ask again in " + (TimeUnit.NANOSECONDS.toSeconds(emptyForNs - 1) + 1)
                        + " s, ask for less, or raise " + remedy("queryMsPerMinuteMax") + ")";
    }

    /** Another query runs. */
    public void onQueryBegun() {
        queries.incrementAndGet();
    }

    /** A query has ended. */
    public void onQueryEnded() {
        queries.decrementAndGet();
    }

    /** Queries that run. */
    public long queryCount() {
        return queries.get();
    }

    /** Whether time for queries is bounded, so that it has to be measured. */
    public boolean isQueryTimeBounded() {
        return quotas().queryMsPerMinuteMax() > 0;
    }

    /** A query has kept a thread busy. */
    public void onQueryWorked(final long durationNs, final long nowNs) {
        final long perMinute = quotas().queryMsPerMinuteMax();
        if (perMinute > 0) {
            queryTime.take(durationNs, TimeUnit.MILLISECONDS.toNanos(perMinute), nowNs);
        }
    }

    private static String remedy(final String bound) {
        return "quotas.perIdentity." + bound + " or that of a role";
    }

    private static boolean take(final AtomicLong used, final long count, final long max) {
        long before;
        do {
            before = used.get();
            if (max > 0 && before > max - count) {
                return false;
            }
        } while (!used.compareAndSet(before, before + count));
        return true;
    }

    /** What a subscription holds of its identity's share. Confined to the I/O agent of its session. */
    public static final class Lease {
        private static final Lease NONE = new Lease(null, 0);

        private final @Nullable IdentityUse use;
        private final int length;
        private boolean isOpen;

        private Lease(final @Nullable IdentityUse use, final int length) {
            this.use = use;
            this.length = length;
            isOpen = use != null;
        }

        /** Of what is not counted: always the same one, which is never open. */
        public static Lease none() {
            return NONE;
        }

        /** Gives it back; a second time does nothing. */
        public void close() {
            final IdentityUse of = use;
            if (isOpen && of != null) {
                isOpen = false;
                of.subscriptions.decrementAndGet();
                of.filterLength.addAndGet(-length);
            }
        }
    }
}
