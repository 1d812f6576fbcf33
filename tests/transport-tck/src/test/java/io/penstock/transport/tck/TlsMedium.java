package io.penstock.transport.tck;

import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.Transport;
import io.penstock.transport.TransportContext;
import io.penstock.transport.TransportProvider;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A provider whose transports have a certificate for this machine, and trust its authority. */
record TlsMedium(TransportProvider provider, TlsContexts contexts) implements TransportProvider {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority of the kit");
    private static final TestCertificate CERTIFICATE = AUTHORITY.issue("kit", "127.0.0.1", "localhost");

    static TlsMedium of(final TransportProvider provider, final EngineChoice engine) {
        try {
            final Path folder = Files.createTempDirectory("penstock-tck");
            final TlsConfig config = TlsConfig.defaults()
                    .certificate(
                            CERTIFICATE.writeCertificate(folder.resolve("own.pem")),
                            CERTIFICATE.writeKey(folder.resolve("own.key")))
                    .trust(AUTHORITY.writeTrust(folder.resolve("trust.pem")), "")
                    .engine(engine);
            return new TlsMedium(provider, TlsContexts.forClient(config, true));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a peer uses that has only the JDK. */
    static SSLContext peerContext() throws Exception {
        final KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", AUTHORITY.certificate());
        final TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(trusted);
        final SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    @Override
    public String scheme() {
        return provider.scheme();
    }

    @Override
    public Transport open(final TransportContext context) throws IOException {
        return provider.open(context.tls(contexts));
    }
}
