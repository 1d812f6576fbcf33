package io.penstock.spring;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A broker in the process of the test, which can be restarted on its port. */
public final class TestBroker implements AutoCloseable {
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final JournalConfig journal;
    private String listen;
    private Broker broker;

    private TestBroker(final String listen, final JournalConfig journal) {
        this.listen = listen;
        this.journal = journal;
        broker = launch();
        this.listen = broker.endpoints().get(0).toString();
    }

    /** One in memory, that needs no network. */
    public static TestBroker inproc() {
        return new TestBroker("inproc:spring-" + NEXT.incrementAndGet(), JournalConfig.none());
    }

    /** One over TCP that keeps a journal. */
    public static TestBroker journaled(final Path directory) {
        return new TestBroker(
                "tcp://127.0.0.1:0", JournalConfig.in(directory.toString()).withFileLength(32 * 1024 * 1024));
    }

    private Broker launch() {
        return Broker.launch(BrokerConfig.builder()
                .listen(listen)
                .journal(journal)
                .topic(TopicConfig.keyed("quotes", "json", "id"))
                .topic(TopicConfig.keyed("prices", "json", "id"))
                .topic(TopicConfig.keyed("named", "json", TopicConfig.PUBLISHER_KEY))
                .build());
    }

    public String endpoint() {
        return listen;
    }

    /** A client of the test itself. */
    public PenstockClient client() {
        return PenstockClient.connect(listen);
    }

    /** Configurations of clients that reconnect quickly. */
    public ClientConfigSource clients() {
        return purpose -> builder().build();
    }

    public ClientConfig.Builder builder() {
        return ClientConfig.builder(listen).reconnect().reconnectDelay(Duration.ofMillis(10), Duration.ofMillis(50));
    }

    public Broker broker() {
        return broker;
    }

    public void stop() {
        broker.close();
    }

    /** Starts it again where it was. */
    public void start() {
        broker = launch();
    }

    @Override
    public void close() {
        broker.close();
    }
}
