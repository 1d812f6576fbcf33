package io.penstock.console;

import io.penstock.admin.AdminConfig;
import io.penstock.admin.AdminServer;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.PenstockClient;
import java.nio.file.Path;

/** A broker in this process with an admin server, and so with a console. */
final class ServedBroker implements AutoCloseable {
    static final String QUOTES = "quotes";

    private final String endpoint;
    private final Broker broker;
    private final AdminServer admin;

    /**
     * Launches one.
     *
     * @param name   of its endpoint in this process.
     * @param folder of its log.
     * @param port   of the admin server; 0 for a free one.
     */
    ServedBroker(final String name, final Path folder, final int port) {
        this(name, folder, port, SecurityConfig.defaults());
    }

    /** The same, with users. */
    ServedBroker(final String name, final Path folder, final int port, final SecurityConfig security) {
        this(name, folder, port, security, PermissionsConfig.defaults());
    }

    /** The same, with permissions. */
    ServedBroker(
            final String name,
            final Path folder,
            final int port,
            final SecurityConfig security,
            final PermissionsConfig permissions) {
        endpoint = "inproc:" + name;
        broker = Broker.launch(BrokerConfig.builder()
                .listen(endpoint)
                .security(security)
                .permissions(permissions)
                .topic(TopicConfig.keyed(QUOTES, "json", "symbol").withColumns("price"))
                .journal(JournalConfig.in(folder.toString()))
                .build());
        admin = AdminServer.launch(AdminConfig.listening("http://127.0.0.1:" + port), broker);
    }

    String endpoint() {
        return endpoint;
    }

    int port() {
        return admin.endpoint().getPort();
    }

    /** Address of the console. */
    String console() {
        return admin.endpoint() + "/console/";
    }

    PenstockClient connect() {
        return PenstockClient.connect(endpoint);
    }

    @Override
    public void close() {
        admin.close();
        broker.close();
    }
}
