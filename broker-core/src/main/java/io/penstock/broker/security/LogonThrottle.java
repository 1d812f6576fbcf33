package io.penstock.broker.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;

/**
 * Slows down guessing: after some refused log-ons from an address, further ones have to wait, longer each time. One of
 * the addresses is forgotten when there are too many: the one that could soonest try again. Safe on any thread.
 */
public final class LogonThrottle {
    /** So many refused log-ons cost nothing: people mistype. */
    public static final int FREE_COUNT = 5;

    private static final int ADDRESS_COUNT_MAX = 4096;
    private static final int DOUBLING_COUNT_MAX = 6;
    private static final long DELAY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long FORGET_NS = TimeUnit.MINUTES.toNanos(5);

    private final ConcurrentHashMap<String, Failures> addresses = new ConcurrentHashMap<>();
    private final NanoClock clock;

    private record Failures(int count, long lastNs, long untilNs) {}

    /**
     * Makes one that knows no address.
     *
     * @param clock of the broker.
     */
    public LogonThrottle(final NanoClock clock) {
        this.clock = clock;
    }

    /**
     * Whose failures count together: those of a host; of this machine, where all have one address, those for a user.
     *
     * @param peer    name of the client's end of the connection.
     * @param isLocal whether it is on this machine.
     * @param user    that it says it is.
     * @return the key for the other methods.
     */
    public static String address(final String peer, final boolean isLocal, final String user) {
        return isLocal ? "user " + user : "host " + Identity.host(peer);
    }

    /**
     * Whose failures count together when all that is known of a client of this machine is its token.
     *
     * @param token of which only a hash is kept.
     * @return the key for the other methods.
     */
    public static String tokenAddress(final String token) {
        try {
            final byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
            return "token " + HexFormat.of().formatHex(hash);
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("logon: every JDK has SHA-256", e);
        }
    }

    /**
     * How long an address has to wait before it may try.
     *
     * @param address of {@link #address}.
     * @return in nanoseconds; 0 = it may.
     */
    public long delayNs(final String address) {
        final Failures failures = addresses.get(address);
        return failures == null ? 0 : Math.max(0, failures.untilNs() - clock.nanoTime());
    }

    /**
     * A log-on was refused.
     *
     * @param address of {@link #address}.
     */
    public void onRefused(final String address) {
        final long nowNs = clock.nanoTime();
        if (addresses.size() >= ADDRESS_COUNT_MAX && !addresses.containsKey(address)) {
            forgetOne(nowNs);
        }
        addresses.compute(address, (of, before) -> {
            final boolean isFresh = before == null || nowNs - before.lastNs() > FORGET_NS;
            final int count = isFresh ? 1 : Math.min(before.count() + 1, FREE_COUNT + DOUBLING_COUNT_MAX);
            final long delayNs = count < FREE_COUNT ? 0 : DELAY_NS << (count - FREE_COUNT);
            return new Failures(count, nowNs, nowNs + delayNs);
        });
    }

    /** How many addresses are remembered. */
    int addressCount() {
        return addresses.size();
    }

    private void forgetOne(final long nowNs) {
        String soonest = null;
        long soonestNs = Long.MAX_VALUE;
        for (final var entry : addresses.entrySet()) {
            final long inNs = entry.getValue().untilNs() - nowNs;
            if (inNs < soonestNs) {
                soonestNs = inNs;
                soonest = entry.getKey();
            }
        }
        if (soonest != null) {
            addresses.remove(soonest);
        }
    }
}
