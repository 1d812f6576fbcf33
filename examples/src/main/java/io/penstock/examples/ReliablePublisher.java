package io.penstock.examples;

import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.DisconnectHandler;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import java.util.concurrent.CompletionException;

/**
 * A publisher whose messages are applied once, though it may have to send some of them twice: it has a name, numbers
 * its messages, and goes on after the last one that the broker has applied.
 */
public final class ReliablePublisher {
    private static final long MESSAGE_COUNT = 100;

    private ReliablePublisher() {}

    /**
     * Publishes those of a hundred numbered messages that the broker has not applied yet.
     *
     * @param args the broker's endpoint.
     */
    public static void main(final String[] args) {
        final ClientConfig config = ClientConfig.builder(args[0])
                .name("example-publisher")
                .onDisconnect(DisconnectHandler.RECONNECT)
                .build();
        try (PenstockClient client = PenstockClient.connect(config)) {
            System.out.println("the broker has applied " + client.publisherSequence() + " of my messages");
            for (long number = client.publisherSequence() + 1; number <= MESSAGE_COUNT; number++) {
                publish(client, number);
            }
            System.out.println("the broker has applied all of them");
        }
    }

    private static void publish(final PenstockClient client, final long number) {
        final Publication message =
                Publication.to("numbers").text("{\"number\": " + number + "}").publisherSequence(number);
        while (true) {
            try {
                client.publish(message, AckType.PROCESSED).join();
                return;
            } catch (final CompletionException e) {
                if (!(e.getCause() instanceof ConnectionException) || client.isClosed()) {
                    throw e;
                }
                // The connection was lost: whether the broker has it is unknown, and sending it again does no harm.
            }
        }
    }
}
