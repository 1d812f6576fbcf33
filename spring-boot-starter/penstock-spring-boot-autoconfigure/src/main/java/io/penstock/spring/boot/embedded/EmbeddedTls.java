package io.penstock.spring.boot.embedded;

import io.penstock.spring.boot.PenstockConfigurationException;
import io.penstock.spring.boot.PenstockProperties;
import io.penstock.spring.boot.tls.BundleTls;
import io.penstock.transport.tls.ClientCertificates;
import io.penstock.transport.tls.EngineChoice;
import io.penstock.transport.tls.TlsConfig;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundles;

/** The bundle of the embedded broker's encrypted endpoints. Safe on any thread; made by the one that starts the context. */
final class EmbeddedTls {
    private static final String PREFIX = PenstockProperties.PREFIX + ".embedded.";
    private static final String BUNDLE = PREFIX + "ssl.bundle";

    private final @Nullable BundleTls bundle;
    private final PenstockProperties.EmbeddedSsl properties;
    private final AtomicReference<@Nullable EmbeddedBroker> running = new AtomicReference<>();

    EmbeddedTls(final PenstockProperties.Embedded embedded, final @Nullable SslBundles bundles) {
        properties = embedded.ssl();
        if (properties.bundle().isEmpty() && properties.clientCertificates() != ClientCertificates.NONE) {
            throw new PenstockConfigurationException(
                    PREFIX + "ssl.client-certificates",
                    "without a bundle (give " + BUNDLE + ", or use " + PREFIX + "config.tls.client-certificates beside"
                            + " files)",
                    null);
        }
        // Without endpoints there is nothing to encrypt, as in tests of an application whose own properties name a
        // bundle.
        if (properties.bundle().isEmpty() || embedded.listen().isEmpty()) {
            bundle = null;
            return;
        }
        if (embedded.listen().stream().noneMatch(each -> each.startsWith("tcps:"))) {
            throw new PenstockConfigurationException(
                    BUNDLE,
                    "of no use: no endpoint is encrypted: " + String.join(", ", embedded.listen()) + " (use tcps:// in "
                            + PREFIX + "listen, or leave the bundle out)",
                    null);
        }
        bundle = BundleTls.named(BUNDLE, properties.bundle(), bundles, this::reload);
    }

    /** The broker's settings, with the bundle, if there is one, in place of files. */
    TlsConfig config(final TlsConfig read) {
        if (bundle == null) {
            return read;
        }
        if (!read.engine(EngineChoice.AUTO).equals(TlsConfig.defaults())) {
            throw new PenstockConfigurationException(
                    BUNDLE, "beside " + PREFIX + "config.tls (give one of them)", null);
        }
        return bundle.config(properties.clientCertificates()).engine(read.engine());
    }

    /** From now on what the bundle is updated to is used for new connections. */
    void reloadOnUpdate(final EmbeddedBroker broker) {
        running.set(broker);
    }

    private void reload() {
        final EmbeddedBroker broker = running.get();
        if (broker != null) {
            broker.reloadCertificates();
        }
    }
}
