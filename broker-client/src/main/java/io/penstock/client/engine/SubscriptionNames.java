package io.penstock.client.engine;

import java.util.concurrent.ConcurrentHashMap;

/**
 * The names of a client's subscriptions that have not ended. Two of one name would share its bookmark, and each would skip
 * what only the other has processed. Safe on any thread.
 */
final class SubscriptionNames {
    private final ConcurrentHashMap<String, Claim> claims = new ConcurrentHashMap<>();

    /** Claims a name until the claim is released; a name that is in use is refused. */
    Claim claim(final String name) {
        final Claim claim = new Claim(name);
        if (claims.putIfAbsent(name, claim) != null) {
            throw new IllegalStateException("subscribe: its name is in use by another subscription of this client: "
                    + name + " (close that one first, or give this one a name of its own)");
        }
        return claim;
    }

    /** That a subscription has a name. */
    final class Claim {
        private final String name;

        private Claim(final String name) {
            this.name = name;
        }

        /** The name is free. Idempotent: a claim of it that was made since stays. */
        void release() {
            claims.remove(name, this);
        }
    }
}
