package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.orb.Credentials;
import java.time.Duration;

/**
 * How the broker is reached.
 *
 * @param endpoint of it.
 * @param proof    by which it knows clients that have proved who they are to the bridge.
 */
record BrokerAccess(String endpoint, CallerProof proof) {
    /** Connects; a client that was proved does so once, since the broker expects it once. */
    PenstockClient connect(final BridgeConfig config, final Credentials credentials, final boolean isProved) {
        final Duration timeout = Duration.ofMillis(config.callTimeoutMs());
        final Duration closeTimeout =
                Duration.ofNanos(Math.min(timeout.toNanos(), ClientConfig.CLOSE_TIMEOUT_NS_DEFAULT));
        final ClientConfig.Builder client = ClientConfig.builder(endpoint)
                .name(credentials.name())
                .messageLengthMax(config.messageLengthMax())
                .requestTimeout(timeout)
                .publishTimeout(timeout)
                .connectTimeout(timeout)
                .closeTimeout(closeTimeout);
        if (!isProved) {
            return PenstockClient.connect(client.credentials(credentials.user(), credentials.password())
                    .reconnect()
                    .build());
        }
        try {
            return PenstockClient.connect(client.build());
        } finally {
            proof.forget(credentials.name());
        }
    }
}
