package io.penstock.broker.security.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.concurrent.OneAtATime;
import io.penstock.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The keys of an issuer: a JWK set in a file or at an {@code https} address. They are read again when a token names one that
 * is not among them, or when they are old, but not more often than every half minute, whatever tokens name.
 */
final class KeySource {
    private static final int LENGTH_MAX = 256 * 1024;
    private static final int KEY_COUNT_MAX = 64;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long RELOAD_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long MAX_AGE_NS = TimeUnit.HOURS.toNanos(1);

    private final String place;
    private final NanoClock clock;
    private final ErrorHandler errors;
    private final AtomicReference<List<TokenKey>> keys = new AtomicReference<>(List.of());
    private final AtomicLong loadedNs;
    private final OneAtATime turns = new OneAtATime();
    private final AtomicLong triedNs;

    /** Reads keys of a file at once, those of an address when they are first needed. */
    KeySource(final String place, final NanoClock clock, final ErrorHandler errors) {
        this.place = place;
        this.clock = clock;
        this.errors = errors;
        final long nowNs = clock.nanoTime();
        loadedNs = new AtomicLong(nowNs - MAX_AGE_NS);
        triedNs = new AtomicLong(nowNs - RELOAD_NS);
        if (!isAddress()) {
            try {
                keys.set(parse(new String(readFile(), UTF_8)));
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

    private boolean isAddress() {
        return place.startsWith("https:");
    }

    /** The key of an id, or without an id the only one for an algorithm; null when there is none. */
    @Nullable
    TokenKey find(final String id, final String algorithm) {
        if (clock.nanoTime() - loadedNs.get() > MAX_AGE_NS) {
            reload();
        }
        final TokenKey known = known(id, algorithm);
        if (known != null || !reload()) {
            return known;
        }
        return known(id, algorithm);
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
        try {
            keys.set(parse(new String(isAddress() ? fetch() : readFile(), UTF_8)));
            loadedNs.set(clock.nanoTime());
            return true;
        } catch (final IOException | TokenRefusal | IllegalArgumentException e) {
            // Those that are there go on.
            errors.onError(new IllegalStateException("security.tokens.keys: " + place + ": " + reason(e), e));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** The JDK's errors of connections have no text of their own. */
    private static String reason(final Exception error) {
        if (error instanceof ConnectException && error.getMessage() == null) {
            return "cannot connect (is the issuer up, and is this its address?)";
        }
        if (error instanceof IOException failure) {
            return FileErrors.reasonOf(failure);
        }
        return error.getMessage() == null ? error.toString() : error.getMessage();
    }

    private byte[] readFile() throws IOException {
        try (InputStream in = Files.newInputStream(Path.of(place))) {
            return in.readNBytes(LENGTH_MAX + 1);
        }
    }

    private byte[] fetch() throws IOException, InterruptedException {
        final HttpClient client = HttpClient.newBuilder()
                .connectTimeout(TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        final HttpResponse<InputStream> response = client.send(
                HttpRequest.newBuilder(URI.create(place)).timeout(TIMEOUT).build(),
                HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = response.body()) {
            if (response.statusCode() != 200) {
                throw new IOException("answered with status " + response.statusCode());
            }
            // Closing it ends a read that takes too long.
            return CompletableFuture.supplyAsync(() -> read(body)).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final TimeoutException e) {
            throw new IOException("did not answer in " + TIMEOUT.toSeconds() + " s", e);
        } catch (final ExecutionException e) {
            throw new IOException("cannot be read: " + e.getCause(), e);
        }
    }

    private static byte[] read(final InputStream body) {
        try {
            return body.readNBytes(LENGTH_MAX + 1);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<TokenKey> parse(final String text) throws TokenRefusal {
        if (text.length() > LENGTH_MAX) {
            throw new TokenRefusal("longer than " + LENGTH_MAX + " bytes");
        }
        if (!(JsonText.object(text).get("keys") instanceof List<?> set) || set.size() > KEY_COUNT_MAX) {
            throw new TokenRefusal("not a JWK set of at most " + KEY_COUNT_MAX + " keys");
        }
        final List<TokenKey> keys = new ArrayList<>();
        for (final Object member : set) {
            final TokenKey key = member instanceof java.util.Map<?, ?> jwk ? TokenKey.of(jwk) : null;
            if (key != null) {
                keys.add(key);
            }
        }
        if (keys.isEmpty()) {
            throw new TokenRefusal("no key for RS256, ES256 or EdDSA");
        }
        return List.copyOf(keys);
    }
}
