package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.engine.ClientAgent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A client and a broker in one thread: nothing happens but in {@link #poll()}, and no time passes. */
final class ClientFixture implements AutoCloseable {
    private static final int ROUND_LIMIT = 100_000;

    final ManualClock clock = new ManualClock();
    final ScriptedBroker broker;
    final PenstockClient client;
    final ClientAgent agent;
    final List<String> events = new ArrayList<>();

    ClientFixture(final String name, final UnaryOperator<ClientConfig.Builder> options) {
        broker = new ScriptedBroker("inproc:" + name);
        client = PenstockClient.invoked(options.apply(ClientConfig.builder(broker.endpoint())
                        .name("desk")
                        .seed(1)
                        .onPublishError(reason -> events.add("publish error " + reason.getMessage()))
                        .nanoClock(clock))
                .build());
        agent = client.agent();
    }

    /** Logs on, the commands up to then being of no interest. */
    ClientFixture loggedOn() {
        agent.connect();
        poll();
        assertThat(broker.commands()).containsExactly("logon 1 0 desk//");
        broker.logonAck(1);
        poll();
        assertThat(client.isConnected()).isTrue();
        return this;
    }

    /** The connection is lost, and made again; the logon is answered, and its command taken. */
    void reconnect(final long logonId) {
        broker.disconnect();
        poll();
        clock.advanceMillis(100);
        poll();
        broker.commands();
        broker.logonAck(logonId);
        poll();
    }

    /** Lets both sides work until there is nothing to do. */
    void poll() {
        int workCount;
        int i = 0;
        do {
            assertThat(i++).as("rounds, with work in each").isLessThan(ROUND_LIMIT);
            workCount = broker.poll() + agent.doWork();
        } while (workCount > 0);
    }

    /** What was noted since the last call. */
    List<String> events() {
        final List<String> taken = List.copyOf(events);
        events.clear();
        return taken;
    }

    AckHandler acks() {
        return new AckHandler() {
            @Override
            public void onAck(final long correlationId, final AckType type, final long publisherSequence) {
                events.add("ack " + correlationId + " " + type + " " + publisherSequence);
            }

            @Override
            public void onFailure(final long correlationId, final PenstockException reason) {
                events.add("failure " + correlationId + " " + reason.getMessage());
            }
        };
    }

    MessageHandler messages() {
        return new MessageHandler() {
            @Override
            public void onMessage(final MessageView message) {
                events.add("message " + message.topic() + " " + message.sequence() + " " + message.text());
            }

            @Override
            public void onEnd(final Subscription subscription, final PenstockException reason) {
                events.add("end " + subscription.id() + " " + reason.getMessage());
            }
        };
    }

    @Override
    public void close() {
        agent.end(new ConnectionException("test is over", null));
        broker.close();
    }
}
