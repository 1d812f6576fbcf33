package io.penstock.transport.tls.openssl;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.penstock.transport.tls.ReleasableEngine;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsEngines;
import io.penstock.transport.tls.TlsException;
import io.penstock.transport.tls.TlsMaterial;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * Engines of BoringSSL. Each keeps the native context that it was made of; this object's own hold on its contexts ends when it
 * is closed, or when nothing refers to it any more.
 */
final class NativeEngines implements TlsEngines {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int PACKET_LENGTH = 32 * 1024;

    /** The JDK's limit for a message of a handshake; those with certificates are the longest. */
    private static final int MESSAGE_LENGTH_MAX = Integer.getInteger("jdk.tls.maxHandshakeMessageSize", 32 * 1024);

    private final TlsMaterial material;
    private final Contexts contexts = new Contexts();
    private final Cleaner.Cleanable cleanable;

    /** Released once, by whoever takes them out. */
    private static final class Contexts implements Runnable {
        private final AtomicReference<@Nullable SslContext> server = new AtomicReference<>();
        private final AtomicReference<@Nullable SslContext> client = new AtomicReference<>();

        @Override
        public void run() {
            release(server.getAndSet(null));
            release(client.getAndSet(null));
        }
    }

    private interface Making {
        SslContext make() throws GeneralSecurityException, IOException;
    }

    private NativeEngines(final TlsMaterial material) {
        this.material = material;
        cleanable = CLEANER.register(this, contexts);
    }

    /** The context of the own side is made now, so that what is wrong is found at the start. */
    static NativeEngines open(final TlsMaterial material) throws TlsException {
        final NativeEngines engines = new NativeEngines(material);
        try {
            if (material.isServer()) {
                engines.serverContext();
            } else {
                engines.clientContext();
            }
            return engines;
        } catch (final GeneralSecurityException | IOException | RuntimeException e) {
            engines.close();
            throw new TlsException("it does not take the certificates: " + reasonOf(e), e);
        }
    }

    private static String reasonOf(final Throwable error) {
        final Throwable cause = error.getCause();
        return error.getMessage() + (cause == null ? "" : ": " + cause.getMessage());
    }

    /** Makes an engine and has it speak, so that all is linked that it takes. */
    static void tryOut() throws IOException {
        final NativeEngines engines =
                open(new TlsMaterial(TlsConfig.defaults(), null, List.of(), List.of(), false, true));
        final SSLEngine engine = engines.client("localhost", 1);
        try {
            engine.beginHandshake();
            final ByteBuffer hello = ByteBuffer.allocateDirect(PACKET_LENGTH);
            if (engine.wrap(ByteBuffer.allocate(0), hello).bytesProduced() == 0) {
                throw new SSLException("the library says nothing");
            }
        } finally {
            ReleasableEngine.release(engine);
            engines.close();
        }
    }

    @Override
    public String name() {
        return "native (BoringSSL)";
    }

    @Override
    public SSLEngine server() {
        try {
            return NativeEngine.of(
                    serverContext().newEngine(UnpooledByteBufAllocator.DEFAULT), BoundedTrust.CLIENT_CHAIN_LENGTH_MAX);
        } catch (final GeneralSecurityException | IOException e) {
            throw new IllegalStateException("TLS: no engine: " + reasonOf(e), e);
        } finally {
            // Until then the engine has no hold on the context of its own.
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public SSLEngine client(final String host, final int port) {
        try {
            final SSLEngine made = clientContext().newEngine(UnpooledByteBufAllocator.DEFAULT, host, port);
            final SSLParameters parameters = new SSLParameters();
            // Netty 4.2 checks the host unless told otherwise, 4.1 does not.
            parameters.setEndpointIdentificationAlgorithm(material.isHostChecked() ? "HTTPS" : null);
            made.setSSLParameters(parameters);
            return NativeEngine.of(made, BoundedTrust.SERVER_CHAIN_LENGTH_MAX);
        } catch (final GeneralSecurityException | IOException e) {
            throw new IllegalStateException("TLS: no engine: " + reasonOf(e), e);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    private SslContext serverContext() throws GeneralSecurityException, IOException {
        return context(contexts.server, () -> {
            if (material.key() == null) {
                throw new GeneralSecurityException("there is no certificate");
            }
            return build(SslContextBuilder.forServer(material.key(), material.chain())
                    .clientAuth(
                            switch (material.config().clientCertificates()) {
                                case NONE -> ClientAuth.NONE;
                                case OPTIONAL -> ClientAuth.OPTIONAL;
                                case REQUIRED -> ClientAuth.REQUIRE;
                            })
                    .trustManager(BoundedTrust.ofClients(material.trusted())));
        });
    }

    private SslContext clientContext() throws GeneralSecurityException, IOException {
        return context(contexts.client, () -> {
            final SslContextBuilder builder = SslContextBuilder.forClient();
            if (material.key() != null) {
                builder.keyManager(material.key(), material.chain().toArray(new X509Certificate[0]));
            }
            return build(builder.trustManager(BoundedTrust.ofServers(material.trusted())));
        });
    }

    private SslContext build(final SslContextBuilder builder) throws SSLException {
        final SslContext made = builder.sslProvider(SslProvider.OPENSSL_REFCNT)
                .protocols(material.config().protocols())
                .ciphers(material.ciphers(), SupportedCipherSuiteFilter.INSTANCE)
                .option(OpenSslContextOption.MAX_CERTIFICATE_LIST_BYTES, MESSAGE_LENGTH_MAX)
                .build();
        // See NativeEngine: each handshake is a whole one.
        ((ReferenceCountedOpenSslContext) made).sessionContext().setSessionCacheEnabled(false);
        return made;
    }

    /** Made by the first who asks; when two ask at once, the second one's is dropped. */
    private static SslContext context(final AtomicReference<@Nullable SslContext> of, final Making making)
            throws GeneralSecurityException, IOException {
        final SslContext present = of.get();
        if (present != null) {
            return present;
        }
        final SslContext made = making.make();
        final SslContext other = of.compareAndExchange(null, made);
        if (other == null) {
            return made;
        }
        release(made);
        return other;
    }

    private static void release(final @Nullable SslContext context) {
        if (context instanceof ReferenceCountedOpenSslContext counted) {
            counted.release();
        }
    }

    @Override
    public void close() {
        cleanable.clean();
    }
}
