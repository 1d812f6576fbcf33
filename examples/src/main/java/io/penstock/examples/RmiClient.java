package io.penstock.examples;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import java.nio.charset.StandardCharsets;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A client that has RMI and the contract, and no native client. It publishes, takes messages, and is called for them. */
public final class RmiClient {
    private static final int WAIT_MS = 5_000;

    private RmiClient() {}

    /**
     * Publishes two orders, and prints the one that matches, as it is taken and as it is called for.
     *
     * @param args host and port of the bridge; 127.0.0.1 and 1099 unless given.
     * @throws Exception when the bridge cannot be reached, or refuses something.
     */
    public static void main(final String[] args) throws Exception {
        final PenstockBroker broker =
                broker(args.length > 0 ? args[0] : "127.0.0.1", args.length > 1 ? Integer.parseInt(args[1]) : 1099);
        final SubscribeRequest request = SubscribeRequest.topic("orders").filter("price > 100");
        final Printer printer = new Printer();
        final MessageListener stub = (MessageListener) UnicastRemoteObject.exportObject(printer, 0);
        try {
            final long called = broker.subscribeWithCallback(request, Callback.of(stub));
            final long taken = broker.subscribe(request);

            publish(broker, "{\"symbol\": \"IBM\", \"price\": 101.5}");
            publish(broker, "{\"symbol\": \"IBM\", \"price\": 99.5}");

            for (final Delivery each : broker.next(taken, 10, WAIT_MS)) {
                System.out.println("taken: " + text(each));
            }
            if (!printer.isCalled.await(WAIT_MS, TimeUnit.MILLISECONDS)) {
                System.out.println("not called in time");
            }
            broker.unsubscribe(called);
            broker.unsubscribe(taken);
        } finally {
            UnicastRemoteObject.unexportObject(printer, true);
        }
    }

    private static PenstockBroker broker(final String host, final int port) throws RemoteException, NotBoundException {
        return (PenstockBroker) LocateRegistry.getRegistry(host, port).lookup(PenstockBroker.NAME);
    }

    private static void publish(final PenstockBroker broker, final String text)
            throws RemoteException, BrokerException {
        broker.publish(Publication.of("orders", text.getBytes(StandardCharsets.UTF_8)), false);
    }

    private static String text(final Delivery delivery) {
        return new String(delivery.data(), StandardCharsets.UTF_8);
    }

    /** Prints what it is called for. */
    private static final class Printer implements MessageListener {
        private final CountDownLatch isCalled = new CountDownLatch(1);

        @Override
        public void onMessages(final long subscription, final Delivery[] deliveries) {
            for (final Delivery each : deliveries) {
                System.out.println("called: " + text(each));
                isCalled.countDown();
            }
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {
            System.out.println("ended: " + text);
        }
    }
}
