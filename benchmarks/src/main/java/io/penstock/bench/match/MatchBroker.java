package io.penstock.bench.match;

import io.penstock.bench.embedded.BenchSession;
import io.penstock.bench.embedded.BrokerThreads;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.QuotaConfig;
import io.penstock.broker.SessionConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.security.IdentityQuotas;
import io.penstock.client.ClientConfig;
import io.penstock.client.SubscribeRequest;
import io.penstock.standalone.CommandFailure;
import java.time.Duration;

/** A broker of this process, all of whose work on messages is on one thread. Confined to the main thread. */
final class MatchBroker implements AutoCloseable {
    static final String TOPIC = "matched";

    private static final String ENDPOINT = "inproc:bench-match";
    private static final Duration TIMEOUT = Duration.ofMinutes(10);
    private static final int OTHER_SUBSCRIPTIONS = 16;

    private final Broker broker;
    private final BrokerThreads threads;
    private final ClientConfig clientConfig =
            ClientConfig.builder(ENDPOINT).requestTimeout(TIMEOUT).build();

    /** @param filterCount of one client. */
    MatchBroker(final int filterCount) {
        final BrokerThreads.Before before = BrokerThreads.before();
        broker = Broker.launch(BrokerConfig.builder()
                .listen(ENDPOINT)
                .threading(ThreadingMode.SHARED)
                .events(EventHandler.NONE)
                .topic(TopicConfig.topic(TOPIC, "json"))
                .sessions(SessionConfig.defaults().withSubscriptionCountMax(filterCount + OTHER_SUBSCRIPTIONS))
                .quotas(QuotaConfig.defaults().withPerIdentity(IdentityQuotas.UNBOUNDED))
                .build());
        threads = before.started();
    }

    /** A connection, confined to the thread that will use it. */
    BenchSession session(final BenchSession.DeliveryHandler handler) {
        return BenchSession.connect(clientConfig, TOPIC, handler);
    }

    static SubscribeRequest request(final String filter) {
        return SubscribeRequest.topic(TOPIC).filter(filter);
    }

    /** CPU time of its threads. */
    long cpuNs() {
        return threads.cpuNs();
    }

    @Override
    public void close() {
        final long errors = broker.counter("errors");
        broker.close();
        if (errors > 0) {
            broker.printErrors(System.err);
            throw CommandFailure.failed("bench: the broker has counted errors: " + errors);
        }
    }
}
