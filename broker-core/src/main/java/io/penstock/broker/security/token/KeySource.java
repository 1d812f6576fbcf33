package io.penstock.broker.security.token;

import io.penstock.broker.concurrent.OneAtATime;
import io.penstock.file.FileErrors;
import io.penstock.protocol.scram.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer: a JWK set in a file or at an {@code https} address. They are read again when a token names one that
 * is not among them, or when they are old, but not more often than every half minute, whatever tokens name. Any thread; the one
 * that reads them blocks.
 */
public final class KeySource {
    static final int LENGTH_MAX = 256 * 1024;
    static final int KEY_COUNT_MAX = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long RELOAD_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long MAX_AGE_NS = TimeUnit.HOURS.toNanos(1);

    private final String place;
    private final @Nullable KeyAddress address;
    private final NanoClock clock;
    private final ErrorHandler errors;
    private final AtomicReference<List<TokenKey>> keys = new AtomicReference<>(List.of());
    private final AtomicLong loadedNs;
    private final OneAtATime turns = new OneAtATime();
    private final AtomicBoolean isReading = new AtomicBoolean();
    private final AtomicLong triedNs;

    /**
     * Reads keys of a file at once, those of an address when they are first needed.
     *
     * @param place  of the JWK set: a file, or an address that begins with {@code https:}.
     * @param trust  file with the authorities that sign the certificate of the address; empty for those of the JDK.
     * @param clock  for how often keys are read.
     * @param errors gets what goes wrong when keys are read again.
     * @throws IllegalArgumentException when a file of keys or of authorities cannot be used.
     */
    public KeySource(final String place, final String trust, final NanoClock clock, final ErrorHandler errors) {
        this(place, trust, TIMEOUT, clock, errors);
    }

    KeySource(
            final String place,
            final String trust,
            final Duration timeout,
            final NanoClock clock,
            final ErrorHandler errors) {
        this.place = place;
        this.clock = clock;
        this.errors = errors;
        address = place.startsWith("https:") ? new KeyAddress(place, trust, timeout) : null;
        final long nowNs = clock.nanoTime();
        loadedNs = new AtomicLong(nowNs - MAX_AGE_NS - 1);
        triedNs = new AtomicLong(nowNs - RELOAD_NS);
        if (address == null) {
            try {
                keys.set(parse(readFile()));
                loadedNs.set(nowNs);
            } catch (final IOException e) {
                throw new IllegalArgumentException(
                        "security.tokens.keys: " + place + ": " + FileErrors.reasonOf(e)
                                + " (give a file with a JWK set, or an https address)",
                        e);
            } catch (final TokenRefusal e) {
                throw new IllegalArgumentException("security.tokens.keys: " + place + ": " + e.getMessage(), e);
            }
        }
    }

    /** The key of an id, or without an id the only one for an algorithm; null when there is none. */
    @Nullable
    TokenKey find(final String id, final String algorithm) {
        final boolean isOld = clock.nanoTime() - loadedNs.get() > MAX_AGE_NS;
        final TokenKey known = known(id, algorithm);
        // Whoever has a key waits for nobody who reads them.
        if (known != null && (!isOld || isReading.get())) {
            return known;
        }
        return reload() ? known(id, algorithm) : known;
    }

    private @Nullable TokenKey known(final String id, final String algorithm) {
        TokenKey found = null;
        for (final TokenKey key : Objects.requireNonNull(keys.get())) {
            if (key.algorithm().equals(algorithm) && (id.isEmpty() || key.id().equals(id))) {
                if (found != null) {
                    return null;
                }
                found = key;
            }
        }
        return found;
    }

    /** One thread at a time reads them, and others wait for it. Returns whether they were read since the call. */
    private boolean reload() {
        final long askedNs = clock.nanoTime();
        final boolean[] isRead = new boolean[1];
        turns.execute(() -> isRead[0] = loadedNs.get() - askedNs > 0 || reloadNow());
        return isRead[0];
    }

    private boolean reloadNow() {
        final long nowNs = clock.nanoTime();
        if (nowNs - triedNs.get() < RELOAD_NS) {
            return false;
        }
        triedNs.set(nowNs);
        isReading.set(true);
        try {
            keys.set(parse(address == null ? readFile() : address.read(LENGTH_MAX)));
            loadedNs.set(clock.nanoTime());
            return true;
        } catch (final IOException e) {
            onFailed(address == null ? FileErrors.reasonOf(e) : String.valueOf(e.getMessage()), e);
        } catch (final TokenRefusal | IllegalArgumentException e) {
            onFailed(String.valueOf(e.getMessage()), e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            isReading.set(false);
        }
        return false;
    }

    /** Those that are there go on. */
    private void onFailed(final String reason, final Exception error) {
        final int count = Objects.requireNonNull(keys.get()).size();
        errors.onError(new IllegalStateException(
                "security.tokens.keys: " + place + ": " + reason + "; "
                        + (count == 0 ? "no token counts" : "the " + count + " keys from before go on"),
                error));
    }

    private byte[] readFile() throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(place))) {
            return in.readNBytes(LENGTH_MAX + 1);
        }
    }

    /** Keys that cannot be used are passed over beside others that can. */
    private static List<TokenKey> parse(final byte[] bytes) throws TokenRefusal {
        if (bytes.length > LENGTH_MAX) {
            throw new TokenRefusal("longer than " + LENGTH_MAX + " bytes");
        }
        final String text = Utf8.decode(bytes);
        if (text == null) {
            throw new TokenRefusal("not UTF-8");
        }
        if (!(JsonText.object(text).get("keys") instanceof List<?> set) || set.size() > KEY_COUNT_MAX) {
            throw new TokenRefusal("not a JWK set of at most " + KEY_COUNT_MAX + " keys");
        }
        final List<TokenKey> keys = new ArrayList<>();
        TokenRefusal first = null;
        for (final Object member : set) {
            try {
                final TokenKey key = member instanceof Map<?, ?> jwk ? TokenKey.of(jwk) : null;
                if (key != null) {
                    keys.add(key);
                }
            } catch (final TokenRefusal e) {
                first = first == null ? e : first;
            }
        }
        if (keys.isEmpty()) {
            throw first == null ? new TokenRefusal("no key for RS256, ES256 or EdDSA") : first;
        }
        return List.copyOf(keys);
    }
}
