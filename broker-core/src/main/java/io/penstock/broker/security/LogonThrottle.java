package io.penstock.broker.security;

import io.penstock.protocol.scram.PreparedText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Slows down guessing: after some refused log-ons of a guesser, further ones have to wait, longer each time. Of this
 * machine, where guessers are told apart by the names that they give, so many may be refused in a second as well, whatever
 * the names. Those that have proved a name from the same address before do not have to wait for others. What is
 * remembered is kept until its time is over: new guessers that find no room count as one. Safe on any thread.
 */
public final class LogonThrottle {
    /** So many refused log-ons cost nothing: people mistype. */
    public static final int FREE_COUNT = 5;

    /** So many log-ons of this machine may be refused at once, whatever their users. */
    public static final int LOCAL_COUNT = 20;

    /** And so many in each second after that. */
    public static final int LOCAL_RATE = 4;

    private static final int GUESSER_COUNT_MAX = 4096;
    private static final int DOUBLING_COUNT_MAX = 6;
    private static final long DELAY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long FORGET_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long LOCAL_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1) / LOCAL_RATE;
    private static final String THIS_MACHINE = "this machine";

    /** Callers of other ports of the process, wherever they are: what they guess is not to keep others of this machine waiting. */
    private static final String THIS_PROCESS = "this process";

    private static final String PROCESS_SCHEME = "inproc:";

    private final ConcurrentHashMap<String, Failures> guessers = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Long> proved = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Failures> others = new AtomicReference<>();
    private final NanoClock clock;

    /** When as many log-ons of this machine may be refused at once as ever, and as many of this process. */
    private final AtomicLong machineFullNs;

    private final AtomicLong processFullNs;

    private record Failures(int count, long lastNs, long untilNs) {
        /** One more. */
        static Failures after(final @Nullable Failures before, final long nowNs, final int countMax) {
            final int known = before == null || nowNs - before.lastNs > FORGET_NS ? 0 : before.count;
            final int count = Math.min(known + 1, countMax);
            final long delayNs = count < FREE_COUNT ? 0 : DELAY_NS << (count - FREE_COUNT);
            return new Failures(count, nowNs, nowNs + delayNs);
        }
    }

    /**
     * Whose refused log-ons count together.
     *
     * @param key     of them.
     * @param address where it is.
     * @param name    that it gives, with the address.
     */
    public record Guesser(String key, String address, String name) {
        /**
         * Those of a host count together; of this machine, where all have one address, those for a user.
         *
         * @param peer    name of the client's end of the connection.
         * @param isLocal whether it is on this machine.
         * @param user    that it says it is.
         * @return who counts.
         */
        public static Guesser of(final String peer, final boolean isLocal, final String user) {
            final String address = isLocal
                    ? peer.startsWith(PROCESS_SCHEME) ? THIS_PROCESS : THIS_MACHINE
                    : "host " + withoutScheme(Identity.host(peer));
            // Names that are the same to who checks them.
            final String prepared = PreparedText.of(user);
            final String name = "user " + (prepared == null ? user : prepared);
            return new Guesser(isLocal ? name : address, address, name + " at " + address);
        }

        /** By whichever port a host comes. */
        private static String withoutScheme(final String host) {
            final int end = host.indexOf("://");
            return end < 0 ? host : host.substring(end + 3);
        }

        /**
         * One that gives a token instead of a name; on this machine each token counts by itself.
         *
         * @param peer    name of the client's end of the connection.
         * @param isLocal whether it is on this machine.
         * @param token   of which only a hash is kept.
         * @return who counts.
         */
        public static Guesser ofToken(final String peer, final boolean isLocal, final String token) {
            final Guesser host = of(peer, isLocal, "");
            final String hash = "token " + hash(token);
            return new Guesser(isLocal ? hash : host.key, host.address, hash + " at " + host.address);
        }

        private static String hash(final String token) {
            try {
                final byte[] hash = MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
                return HexFormat.of().formatHex(hash);
            } catch (final NoSuchAlgorithmException e) {
                throw new IllegalStateException("logon: every JDK has SHA-256", e);
            }
        }
    }

    /**
     * Makes one that knows nobody.
     *
     * @param clock of the broker.
     */
    public LogonThrottle(final NanoClock clock) {
        this.clock = clock;
        machineFullNs = new AtomicLong(clock.nanoTime());
        processFullNs = new AtomicLong(clock.nanoTime());
    }

    /**
     * How long somebody has to wait before it may try.
     *
     * @param who of {@link Guesser}.
     * @return in nanoseconds; 0 = it may.
     */
    public long delayNs(final Guesser who) {
        final long nowNs = clock.nanoTime();
        final Failures own = guessers.get(who.key);
        if (own != null && own.untilNs - nowNs > 0) {
            return own.untilNs - nowNs;
        }
        if (isProved(who)) {
            return 0;
        }
        final Failures shared = own == null ? others.get() : null;
        if (shared != null && shared.untilNs - nowNs > 0) {
            return shared.untilNs - nowNs;
        }
        final AtomicLong fullNs = fullNs(who);
        return fullNs == null ? 0 : Math.max(0, fullNs.get() - nowNs - (LOCAL_COUNT - 1) * LOCAL_INTERVAL_NS);
    }

    /** What bounds all of an address that guessers share; null when each address is one guesser. */
    private @Nullable AtomicLong fullNs(final Guesser who) {
        return switch (who.address) {
            case THIS_MACHINE -> machineFullNs;
            case THIS_PROCESS -> processFullNs;
            default -> null;
        };
    }

    /**
     * Whether somebody has proved before, from the same address, that it is who it says it is.
     *
     * @param who of {@link Guesser}.
     * @return false when that is not remembered.
     */
    public boolean isProved(final Guesser who) {
        return proved.containsKey(who.name);
    }

    /**
     * A log-on was refused.
     *
     * @param who of {@link Guesser}.
     */
    public void onRefused(final Guesser who) {
        final long nowNs = clock.nanoTime();
        final AtomicLong fullNs = fullNs(who);
        if (fullNs != null && !isProved(who)) {
            fullNs.updateAndGet(before -> (before - nowNs > 0 ? before : nowNs) + LOCAL_INTERVAL_NS);
        }
        // Those that have proved themselves are bounded, and do not wait for others: each counts by itself.
        if (guessers.containsKey(who.key) || isProved(who) || hasRoom(nowNs)) {
            guessers.compute(who.key, (of, before) -> Failures.after(before, nowNs, FREE_COUNT + DOUBLING_COUNT_MAX));
        } else {
            // One more each second, as nobody knows whether they are many.
            others.updateAndGet(before -> Failures.after(before, nowNs, FREE_COUNT));
        }
    }

    /** Some threads at once may go beyond the bound by as many. */
    private boolean hasRoom(final long nowNs) {
        if (guessers.size() < GUESSER_COUNT_MAX) {
            return true;
        }
        guessers.values().removeIf(each -> nowNs - each.lastNs > FORGET_NS);
        return guessers.size() < GUESSER_COUNT_MAX;
    }

    /**
     * Somebody has proved that it is who it says it is.
     *
     * @param who of {@link Guesser}.
     */
    public void onProved(final Guesser who) {
        if (proved.size() >= GUESSER_COUNT_MAX && !proved.containsKey(who.name)) {
            proved.entrySet().stream()
                    .min(Map.Entry.comparingByValue())
                    .ifPresent(oldest -> proved.remove(oldest.getKey()));
        }
        proved.put(who.name, clock.nanoTime());
    }

    /** How many guessers are remembered. */
    int guesserCount() {
        return guessers.size();
    }
}
