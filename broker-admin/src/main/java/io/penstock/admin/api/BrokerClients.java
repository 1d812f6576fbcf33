package io.penstock.admin.api;

import io.penstock.admin.http.ProblemException;
import io.penstock.broker.Broker;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Origin;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;

/**
 * Clients of the broker, in its own process, that act for callers: the broker lets each do what its caller may. Safe on
 * any thread; blocks.
 */
final class BrokerClients {
    private static final int RING_LENGTH = ClientConfig.RING_LENGTH_MIN;
    private static final int STREAM_LIMIT = 1024;
    private static final long STREAM_LENGTH = 4L * 1024 * 1024;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int SECRET_LENGTH = 16;

    private final Broker broker;
    private final EpochClock clock;
    private final SecureRandom random = new SecureRandom();

    BrokerClients(final Broker broker, final EpochClock clock) {
        this.broker = broker;
        this.clock = clock;
    }

    /** Connects a client that acts for a caller. The caller of this closes it. */
    PenstockClient connect(final Caller caller) {
        final String endpoint = endpoint();
        final byte[] secret = new byte[SECRET_LENGTH];
        random.nextBytes(secret);
        final String name = "admin-" + HexFormat.of().formatHex(secret);
        final long validForNs = caller.expiresMs() == 0
                ? Admitted.FOR_EVER
                : TimeUnit.MILLISECONDS.toNanos(Math.max(0, caller.expiresMs() - clock.time()));
        final Admitted proof =
                caller.proof().actedFor(new Origin(caller.peer(), Caller.CLIENT, caller.isLocal()), validForNs);
        if (!broker.gate().expected().expect(name, proof)) {
            throw new ProblemException(503, "BUSY", "broker: has too many clients that log on (try again later)");
        }
        try {
            return PenstockClient.connect(ClientConfig.builder(endpoint)
                    .name(name)
                    .ringLength(RING_LENGTH)
                    .streamLimit(STREAM_LIMIT)
                    .streamLength(STREAM_LENGTH)
                    .connectTimeout(TIMEOUT)
                    .requestTimeout(TIMEOUT)
                    .closeTimeout(Duration.ofMillis(100))
                    .build());
        } finally {
            broker.gate().expected().forget(name);
        }
    }

    private String endpoint() {
        for (final URI endpoint : broker.endpoints()) {
            if ("inproc".equals(endpoint.getScheme())) {
                return endpoint.toString();
            }
        }
        throw new ProblemException(
                503,
                "NO_ENDPOINT",
                "broker: has no endpoint for its own process (have it listen on one, such as inproc:admin, too)");
    }
}
