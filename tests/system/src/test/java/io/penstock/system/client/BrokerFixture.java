package io.penstock.system.client;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A broker for each test, and clients that are closed after it. */
abstract class BrokerFixture {
    static final Duration LONG = Duration.ofSeconds(20);

    private final List<PenstockClient> clients = new ArrayList<>();
    private final BrokerConfig.Builder config;
    private @Nullable Broker launched;

    /** A broker of this configuration is launched for each test. */
    BrokerFixture(final BrokerConfig.Builder config) {
        this.config = config;
    }

    @BeforeEach
    void launch() {
        launch(config.build());
    }

    void launch(final BrokerConfig built) {
        launched = Broker.launch(built);
    }

    Broker broker() {
        if (launched == null) {
            throw new AssertionError("not launched");
        }
        return launched;
    }

    @AfterEach
    void close() {
        closeClients();
        broker().close();
    }

    void closeClients() {
        clients.forEach(PenstockClient::close);
    }

    ClientConfig.Builder builder() {
        return ClientConfig.builder(broker().endpoints().get(0).toString()).requestTimeout(LONG);
    }

    PenstockClient connect() {
        return connect(builder());
    }

    PenstockClient connect(final ClientConfig.Builder config) {
        final PenstockClient client = PenstockClient.connect(config.build());
        clients.add(client);
        return client;
    }

    static Message taken(final MessageStream stream) {
        final Message message = stream.poll(LONG);
        if (message == null) {
            throw new AssertionError("no message came");
        }
        return message;
    }

    static List<String> texts(final MessageStream stream, final int count) {
        final List<String> texts = new ArrayList<>();
        while (texts.size() < count) {
            texts.add(taken(stream).text());
        }
        return texts;
    }
}
