package io.penstock.transport.stream.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.openssl.NettyEngineProvider;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a client of the JDK may take its session up again, and need not see the certificate again then. */
class ResumptionTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"JDK, TLSv1.3, 1", "JDK, TLSv1.2, 1", "NATIVE, TLSv1.3, 2", "NATIVE, TLSv1.2, 2"})
    void shouldMakeWholeHandshakesWhenTheEngineIsNative(
            final EngineChoice engine, final String protocol, final int checkCount) throws Exception {
        Assumptions.assumeTrue(
                engine == EngineChoice.JDK || NettyEngineProvider.canBeUsed(), "netty-tcnative is not there");
        final TestCertificate own = new TestAuthority("authority").issue("server", "127.0.0.1");
        final AtomicInteger checks = new AtomicInteger();
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new CountingTrust(checks)}, null);
        try (TlsSide server = new TlsSide(TlsContexts.forServer(
                TlsConfig.defaults()
                        .certificate(
                                own.writeCertificate(folder.resolve("own.pem")),
                                own.writeKey(folder.resolve("own.key")))
                        .protocols(List.of(protocol), List.of())
                        .engine(engine),
                InstantSource.system()))) {
            final URI endpoint = server.transport.listen(URI.create("tcps://127.0.0.1:0"));
            for (int i = 0; i < 2; i++) {
                final int count = i + 1;
                final CompletableFuture<?> peer = CompletableFuture.runAsync(() -> readOneFrame(context, endpoint));
                TlsSide.pollUntil(() -> server.connections.size() == count || peer.isDone(), server);
                final UnsafeBuffer frame = new UnsafeBuffer(new byte[8]);
                server.connections.get(i).offer(frame, 0, 0, frame, 0, 8, 0);
                TlsSide.pollUntil(peer::isDone, server);
                peer.join();
            }
        }
        assertThat(checks).hasValue(checkCount);
    }

    /** Tickets come before it. */
    private static void readOneFrame(final SSLContext context, final URI endpoint) {
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(endpoint.getHost(), endpoint.getPort())) {
            assertThat(socket.getInputStream().readNBytes(12)).hasSize(12);
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    private record CountingTrust(AtomicInteger checks) implements X509TrustManager {
        @Override
        public void checkClientTrusted(final X509Certificate[] chain, final String kind) {
            throw new AssertionError("not a server");
        }

        @Override
        public void checkServerTrusted(final X509Certificate[] chain, final String kind) {
            checks.incrementAndGet();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
