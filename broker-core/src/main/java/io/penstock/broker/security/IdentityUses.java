package io.penstock.broker.security;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * What each {@link Identity} uses that has connections, or had some lately. Safe on any thread; used when clients log on
 * and disconnect, and when bounds change.
 */
public final class IdentityUses {
    private static final int SWEEP_COUNT_MIN = 1024;

    private final ConcurrentHashMap<String, IdentityUse> uses = new ConcurrentHashMap<>();
    private final AtomicReference<IdentityQuotas> defaults = new AtomicReference<>(IdentityQuotas.UNBOUNDED);
    private final Function<Principal, IdentityQuotas> ofRoles;
    private final NanoClock clock;

    /** From so many on those that are used no more are looked for. */
    private final AtomicInteger sweepCount = new AtomicInteger(SWEEP_COUNT_MIN);

    /**
     * None so far.
     *
     * @param ofRoles what the roles of a client say.
     * @param clock   of the broker, for when bounds change.
     */
    IdentityUses(final Function<Principal, IdentityQuotas> ofRoles, final NanoClock clock) {
        this.ofRoles = ofRoles;
        this.clock = clock;
    }

    /**
     * Takes other bounds for those whose roles say nothing. Who uses more already keeps it; who is over a rate waits as
     * long as the new one says.
     *
     * @param value from now on.
     */
    public void defaults(final IdentityQuotas value) {
        defaults.set(value);
        onRolesChanged();
    }

    /** Roles may say something else from now on. */
    void onRolesChanged() {
        final long nowNs = clock.nanoTime();
        for (final String identity : uses.keySet()) {
            uses.computeIfPresent(identity, (of, use) -> decided(use, nowNs));
        }
    }

    /**
     * A client logs on.
     *
     * @param identity           that it counts as.
     * @param principal          that it was proved to be.
     * @param isInPlaceOfAnother whether another one ends for it, so that it is not refused.
     * @param nowNs              of the broker's clock.
     * @return what it uses with others, to be given back by {@link #detach}, or what those use that leave no room for it.
     */
    public Attachment attach(
            final String identity, final Principal principal, final boolean isInPlaceOfAnother, final long nowNs) {
        if (uses.size() >= sweepCount.get()) {
            sweep(nowNs);
        }
        final @Nullable Attachment[] attached = new Attachment[1];
        uses.compute(identity, (of, present) -> {
            final IdentityUse use = present == null ? new IdentityUse(identity, principal, nowNs) : present;
            use.principal(principal);
            decided(use, nowNs);
            attached[0] = new Attachment(use, use.takeConnection(isInPlaceOfAnother));
            return use;
        });
        final Attachment result = attached[0];
        if (result == null) {
            throw new IllegalStateException("identity: not counted: " + identity);
        }
        return result;
    }

    /**
     * A client that was attached has disconnected.
     *
     * @param use   of its identity.
     * @param nowNs of the broker's clock.
     */
    public void detach(final IdentityUse use, final long nowNs) {
        uses.computeIfPresent(use.identity(), (of, present) -> {
            use.giveConnectionBack();
            // What was published or asked for lately counts on, so that nobody gains by connecting anew.
            return present.isUnused(nowNs) ? null : present;
        });
    }

    /** Identities that are known. */
    int count() {
        return uses.size();
    }

    private void sweep(final long nowNs) {
        for (final String identity : uses.keySet()) {
            uses.computeIfPresent(identity, (of, use) -> use.isUnused(nowNs) ? null : use);
        }
        sweepCount.set(Math.max(SWEEP_COUNT_MIN, 2 * uses.size()));
    }

    private IdentityUse decided(final IdentityUse use, final long nowNs) {
        final IdentityQuotas present = defaults.get();
        use.quotas(ofRoles.apply(use.principal()).orElse(present == null ? IdentityQuotas.UNBOUNDED : present), nowNs);
        return use;
    }

    /**
     * How a client counts.
     *
     * @param use     what its identity uses.
     * @param isTaken whether it is counted; false when there may be no more connections.
     */
    public record Attachment(IdentityUse use, boolean isTaken) {}
}
