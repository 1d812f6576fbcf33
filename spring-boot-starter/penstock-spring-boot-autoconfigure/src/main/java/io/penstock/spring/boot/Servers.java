package io.penstock.spring.boot;

import io.penstock.transport.Transports;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks where clients connect to, before anybody does: an attempt to connect would fail for ever. */
final class Servers {
    private static final String PROPERTY = PenstockProperties.PREFIX + ".servers";
    private static final int PORT =
            URI.create(PenstockProperties.SERVER_DEFAULT).getPort();
    private static final Pattern HOST_AND_PORT = Pattern.compile("[^\\s/?#]+:\\d+");
    private static final Pattern OF_THE_WEB = Pattern.compile("https?://([^\\s/?#]+).*");

    private Servers() {}

    /**
     * Checks them.
     *
     * @param servers as they are configured; what is no URI and looks like nothing else is left to the client.
     * @throws PenstockConfigurationException that says what to write instead.
     */
    static void check(final List<String> servers) {
        servers.forEach(Servers::check);
    }

    private static void check(final String server) {
        final URI uri = uriOrNull(server);
        final String instead = insteadOrNull(server);
        if (uri == null) {
            if (instead != null) {
                throw wrong("not a URI: " + server + " (use " + instead + ")", null);
            }
            return;
        }
        try {
            Transports.providerFor(uri);
        } catch (final IllegalArgumentException e) {
            final String reason = String.valueOf(e.getMessage());
            final String remedy = instead != null || uri.getScheme() != null
                    ? instead
                    : "for example " + PenstockProperties.SERVER_DEFAULT;
            throw wrong(
                    remedy == null
                            ? reason.substring(reason.indexOf(": ") + 2)
                            : "no transport for its scheme: " + server + " (use " + remedy + ")",
                    e);
        }
        if ((server.startsWith("tcp://") || server.startsWith("tcps://"))
                && !HOST_AND_PORT.matcher(authority(uri)).matches()) {
            throw wrong(
                    "no host and port: " + server + " (use for example " + PenstockProperties.SERVER_DEFAULT + ")",
                    null);
        }
    }

    private static String authority(final URI uri) {
        final String authority = uri.getRawAuthority();
        return authority == null ? "" : authority;
    }

    private static @Nullable URI uriOrNull(final String server) {
        try {
            return new URI(server);
        } catch (final URISyntaxException e) {
            return null;
        }
    }

    /** What was probably meant. */
    private static @Nullable String insteadOrNull(final String server) {
        final var web = OF_THE_WEB.matcher(server);
        final String authority = web.matches() ? web.group(1) : server;
        if (HOST_AND_PORT.matcher(authority).matches()) {
            return "tcp://" + authority;
        }
        return web.matches() ? "tcp://" + authority + ":" + PORT : null;
    }

    private static PenstockConfigurationException wrong(final String message, final @Nullable Throwable cause) {
        return new PenstockConfigurationException(PROPERTY, message, cause);
    }
}
