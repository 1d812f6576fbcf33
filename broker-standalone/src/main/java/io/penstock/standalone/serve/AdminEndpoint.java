package io.penstock.standalone.serve;

import io.penstock.admin.AdminConfig;
import io.penstock.admin.AdminServer;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.BrokerConfig;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.logger.LogConfig;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the admin server reaches the broker of the same process. */
final class AdminEndpoint {
    private static final String ENDPOINT = "inproc:penstock-admin";

    private AdminEndpoint() {}

    /** The same configuration, with an endpoint for the admin server if there is to be one. */
    static BrokerConfig added(final BrokerConfig config, final AdminConfig admin) {
        if (!admin.isUsed()) {
            return config;
        }
        final List<URI> listen = new ArrayList<>(config.listen());
        listen.add(URI.create(ENDPOINT));
        return config.listen(listen);
    }

    /** Refuses settings of the admin server that do not fit those of its broker. */
    static void check(final BrokerConfig config, final AdminConfig admin) {
        try {
            admin.checkBackups(config.journal().directory());
            admin.checkCallers(config);
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        }
    }

    /** Starts the admin server, if there is to be one; its broker comes later. */
    static @Nullable AdminServer open(
            final AdminConfig config, final BridgeConfig bridge, final LogConfig log, final TlsConfig tls) {
        if (!config.isUsed()) {
            return null;
        }
        try {
            return AdminServer.open(
                    config,
                    Map.of("admin", config, "bridge", bridge, "log", log),
                    config.isEncrypted() && !tls.certificate().isEmpty()
                            ? TlsContexts.forServer(tls, InstantSource.system())
                            : null);
        } catch (final IllegalArgumentException | TlsException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        } catch (final UncheckedIOException e) {
            throw CommandFailure.failed(String.valueOf(e.getMessage()));
        }
    }
}
