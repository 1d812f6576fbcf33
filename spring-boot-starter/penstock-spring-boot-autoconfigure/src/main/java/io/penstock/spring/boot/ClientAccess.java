package io.penstock.spring.boot;

import io.penstock.client.ClientTls;
import io.penstock.client.CredentialsProvider;
import io.penstock.client.LogonCredentials;
import io.penstock.spring.boot.tls.BundleTls;
import io.penstock.transport.tls.ClientCertificates;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * Whom clients trust, and with what they log on. Immutable.
 *
 * @param tls         of encrypted connections.
 * @param credentials asked at each connection.
 */
record ClientAccess(ClientTls tls, CredentialsProvider credentials) {
    private static final String BUNDLE = PenstockProperties.PREFIX + ".ssl.bundle";
    private static final String TOKEN = PenstockProperties.PREFIX + ".token";

    /**
     * What properties and beans say.
     *
     * @param bundles  of the application; null for none.
     * @param provider of the application; null for none.
     * @throws PenstockConfigurationException when they contradict each other, or name what there is not.
     */
    static ClientAccess of(
            final PenstockProperties properties,
            final PenstockConnectionDetails details,
            final @Nullable SslBundles bundles,
            final @Nullable CredentialsProvider provider) {
        return new ClientAccess(tls(properties, details, bundles), credentials(details, provider));
    }

    private static CredentialsProvider credentials(
            final PenstockConnectionDetails details, final @Nullable CredentialsProvider provider) {
        if (provider != null) {
            return provider;
        }
        final String token = details.token();
        if (token.isEmpty()) {
            return () -> LogonCredentials.password(details.user(), details.password());
        }
        if (!details.user().isEmpty()) {
            throw new PenstockConfigurationException(
                    TOKEN, "beside a user: " + details.user() + " (a token says who the user is: leave out one)", null);
        }
        return () -> LogonCredentials.token(token);
    }

    private static ClientTls tls(
            final PenstockProperties properties,
            final PenstockConnectionDetails details,
            final @Nullable SslBundles bundles) {
        final SslBundle given = details.sslBundle();
        final String name = properties.ssl().bundle();
        if (given == null && (name.isEmpty() || isInProcess(details.servers()))) {
            return ClientTls.defaults();
        }
        for (final String server : details.servers()) {
            if (!server.startsWith("tcps:")) {
                throw new PenstockConfigurationException(
                        BUNDLE,
                        "of no use: the connection to " + server + " is not encrypted (use tcps:// in "
                                + PenstockProperties.PREFIX + ".servers, or leave the bundle out)",
                        null);
            }
        }
        final BundleTls tls =
                given == null ? BundleTls.named(BUNDLE, name, bundles, () -> {}) : new BundleTls(BUNDLE, given);
        return new ClientTls(tls.config(ClientCertificates.NONE), true);
    }

    /** As in tests of an application whose own properties name a bundle. */
    private static boolean isInProcess(final List<String> servers) {
        return servers.stream().allMatch(each -> each.startsWith("inproc:"));
    }
}
