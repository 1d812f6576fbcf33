package io.penstock.broker.security.token;

import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import io.penstock.transport.tls.TlsReasons;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** An {@code https} address with keys. Blocks while it is asked. Immutable. */
final class KeyAddress {
    private static final String REMEDY = " (see whether the address is right and its server runs)";

    private final URI address;
    private final String trust;
    private final Duration timeout;

    /**
     * Makes one.
     *
     * @param address to ask.
     * @param trust   file with the authorities that sign its certificate; empty for those of the JDK.
     * @param timeout of connecting, of waiting for the answer, and of reading it.
     */
    KeyAddress(final String address, final String trust, final Duration timeout) {
        this.address = URI.create(address);
        this.trust = trust;
        this.timeout = timeout;
        try {
            trusted();
        } catch (final TlsException e) {
            throw new IllegalArgumentException(explained(e), e);
        }
    }

    /** What is read anew each time, so that an authority can be replaced. */
    private @Nullable SSLContext trusted() throws TlsException {
        return trust.isEmpty()
                ? null
                : TlsContexts.clientContext(TlsConfig.defaults().trust(trust, ""));
    }

    private static String explained(final TlsException e) {
        return String.valueOf(e.getMessage()).replace("tls.trust:", "security.tokens.trust:");
    }

    /**
     * Asks.
     *
     * @param lengthMax of the answer.
     * @return at most one byte more.
     */
    byte[] read(final int lengthMax) throws IOException, InterruptedException {
        final HttpClient.Builder builder =
                HttpClient.newBuilder().connectTimeout(timeout).followRedirects(HttpClient.Redirect.NEVER);
        try {
            final SSLContext context = trusted();
            final HttpClient client =
                    (context == null ? builder : builder.sslContext(context)).build();
            final HttpResponse<InputStream> response = client.send(
                    HttpRequest.newBuilder(address).timeout(timeout).build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    throw new IOException("answered with status " + response.statusCode()
                            + (response.statusCode() / 100 == 3 ? ", and redirects are not followed" : "")
                            + " (give the address that has the keys)");
                }
                // Closing it ends a read that takes too long.
                return CompletableFuture.supplyAsync(() -> readBody(body, lengthMax))
                        .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (final TlsException e) {
            throw new IOException(explained(e), e);
        } catch (final SSLException e) {
            throw new IOException(TlsReasons.of(e).replace("tls.trust", "security.tokens.trust"), e);
        } catch (final HttpTimeoutException | TimeoutException e) {
            throw new IOException("did not answer in " + timeout.toMillis() + " ms" + REMEDY, e);
        } catch (final ConnectException e) {
            // Often without any words of its own.
            throw new IOException(
                    "cannot be reached: "
                            + (e.getCause() instanceof UnresolvedAddressException
                                    ? "no such host"
                                    : e.getMessage() == null ? "connection refused" : e.getMessage())
                            + REMEDY,
                    e);
        } catch (final ExecutionException e) {
            throw new IOException("cannot be read: " + reasonOf(e.getCause()) + REMEDY, e);
        }
    }

    private static String reasonOf(final @Nullable Throwable cause) {
        final Throwable inner = cause instanceof UncheckedIOException ? cause.getCause() : cause;
        return inner == null ? "no reason given" : inner.getMessage() == null ? inner.toString() : inner.getMessage();
    }

    private static byte[] readBody(final InputStream body, final int lengthMax) {
        try {
            return body.readNBytes(lengthMax + 1);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
