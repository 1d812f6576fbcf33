package io.penstock.spring.boot.tls;

import io.penstock.spring.boot.PenstockConfigurationException;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsSource;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;

/**
 * An SSL bundle as a source for new connections: what it was updated to last. Safe on any thread; made by the one that starts the
 * context.
 */
public final class BundleTls implements TlsSource {
    private static final Log LOG = LogFactory.getLog(BundleTls.class);

    private final String property;
    private final SslBundle first;
    private final AtomicReference<Made> made;

    private record Made(SSLContext context, List<X509Certificate> chain) {}

    /**
     * Takes a bundle that is not updated.
     *
     * @param property that it comes from, for errors.
     * @param bundle   of the application.
     * @throws PenstockConfigurationException when it cannot be used.
     */
    public BundleTls(final String property, final SslBundle bundle) {
        this.property = property;
        first = bundle;
        try {
            made = new AtomicReference<>(make(bundle));
        } catch (final GeneralSecurityException | RuntimeException e) {
            throw new PenstockConfigurationException(property, "cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Takes a bundle by its name, and what it is updated to.
     *
     * @param property that names it, for errors.
     * @param name     of it.
     * @param bundles  of the application; null when there are none.
     * @param onUpdate called after each update that can be used.
     * @return of what the bundle has.
     * @throws PenstockConfigurationException when there is no such bundle, or it cannot be used.
     */
    public static BundleTls named(
            final String property, final String name, final @Nullable SslBundles bundles, final Runnable onUpdate) {
        if (bundles == null) {
            throw new PenstockConfigurationException(
                    property,
                    "there are no SSL bundles, though it names " + name
                            + " (leave SslAutoConfiguration in, or define a bean SslBundles)",
                    null);
        }
        final SslBundle bundle;
        try {
            bundle = bundles.getBundle(name);
        } catch (final NoSuchSslBundleException e) {
            throw new PenstockConfigurationException(
                    property,
                    "no such SSL bundle: " + name + " (there "
                            + (bundles.getBundleNames().isEmpty() ? "is none" : "are " + names(bundles))
                            + "; define it below spring.ssl.bundle)",
                    e);
        } catch (final RuntimeException e) {
            throw new PenstockConfigurationException(property, "cannot be read: " + name + ": " + e.getMessage(), e);
        }
        final BundleTls tls = new BundleTls(property, bundle);
        bundles.addBundleUpdateHandler(name, updated -> tls.onUpdate(name, updated, onUpdate));
        return tls;
    }

    private static String names(final SslBundles bundles) {
        return String.join(", ", bundles.getBundleNames().stream().sorted().toList());
    }

    private void onUpdate(final String name, final SslBundle updated, final Runnable onUpdate) {
        try {
            made.set(make(updated));
        } catch (final GeneralSecurityException | RuntimeException e) {
            LOG.warn("penstock: SSL bundle " + name + " was updated to what cannot be used: " + e.getMessage()
                    + "; new connections use what it had before");
            return;
        }
        onUpdate.run();
    }

    private static Made make(final SslBundle bundle) throws GeneralSecurityException {
        return new Made(bundle.createSslContext(), chain(bundle));
    }

    /** The certificate that the bundle's key has; the first one when it names none. */
    private static List<X509Certificate> chain(final SslBundle bundle) throws GeneralSecurityException {
        final KeyStore store = bundle.getStores().getKeyStore();
        if (store == null) {
            return List.of();
        }
        final String wanted = bundle.getKey().getAlias();
        for (final String alias : Collections.list(store.aliases())) {
            if (store.isKeyEntry(alias) && (wanted == null || wanted.equals(alias))) {
                final Certificate[] chain = store.getCertificateChain(alias);
                return chain == null
                        ? List.of()
                        : Arrays.stream(chain).map(X509Certificate.class::cast).toList();
            }
        }
        return List.of();
    }

    @Override
    public SSLContext context() {
        return Objects.requireNonNull(made.get()).context();
    }

    @Override
    public List<X509Certificate> chain() {
        return Objects.requireNonNull(made.get()).chain();
    }

    /**
     * Settings with this, and with the bundle's versions and ciphers, if it names any.
     *
     * @param clientCertificates whether a side that listens asks for certificates.
     * @return for a client or a broker.
     * @throws PenstockConfigurationException when the bundle has what is not allowed, or too little.
     */
    public TlsConfig config(final ClientCertificates clientCertificates) {
        if (clientCertificates != ClientCertificates.NONE && first.getStores().getTrustStore() == null) {
            throw new PenstockConfigurationException(
                    property,
                    "has no trust store, though clients are asked for certificates (give it one: else every authority of the"
                            + " JDK could sign them)",
                    null);
        }
        final SslOptions options = first.getOptions();
        final TlsConfig config = TlsConfig.defaults().source(this).clientCertificates(clientCertificates);
        final List<String> protocols = listOf(options.getEnabledProtocols());
        try {
            return config.protocols(
                    protocols.isEmpty() ? config.protocols() : protocols, listOf(options.getCiphers()));
        } catch (final IllegalArgumentException e) {
            throw new PenstockConfigurationException(property, "its options are not allowed: " + e.getMessage(), e);
        }
    }

    private static List<String> listOf(final String @Nullable [] values) {
        return values == null ? List.of() : List.of(values);
    }
}
