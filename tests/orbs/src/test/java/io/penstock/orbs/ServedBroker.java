package io.penstock.orbs;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.security.Principal;
import io.penstock.client.PenstockClient;
import io.penstock.client.Topic;
import java.util.concurrent.atomic.AtomicInteger;

/** A broker in memory for foreign clients: it knows guests, and ann with the password a. */
final class ServedBroker implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final SecurityConfig SECURITY = new SecurityConfig(
            logon -> switch (logon.user() + "/" + logon.password()) {
                case "/" -> Principal.ANONYMOUS;
                case "ann/a" -> new Principal("ann");
                default -> null;
            },
            (principal, action, topic) -> true,
            false);

    private final String endpoint = "inproc:orbs-" + COUNT.incrementAndGet();

    /** Nobody but programs of this user can listen there, so a password may be sent. */
    private final String ipcEndpoint = "ipc:orbs-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();

    private final Broker broker;

    ServedBroker() {
        broker = Broker.launch(BrokerConfig.builder()
                .listen(endpoint)
                .listen(ipcEndpoint)
                .topic(TopicConfig.topic("bytes", "binary"))
                .security(SECURITY)
                .build());
        try (PenstockClient client = PenstockClient.connect(endpoint)) {
            client.declareTopic(Topic.json("foreign-state").key("id"));
            client.declareTopic(Topic.json("orders").key("symbol"));
        }
    }

    /** For programs in this process. */
    String endpoint() {
        return endpoint;
    }

    /** For programs in others. */
    String ipcEndpoint() {
        return ipcEndpoint;
    }

    @Override
    public void close() {
        broker.close();
    }
}
