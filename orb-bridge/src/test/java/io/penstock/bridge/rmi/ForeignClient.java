package io.penstock.bridge.rmi;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.QueryPage;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A program of somebody else, in a process of its own, that has the contract and the JDK. */
public final class ForeignClient {
    private static final int[] LENGTHS = {0, 1, 1024, 65_535, 65_536, 65_537, 1 << 20, 4 << 20, 16 << 20};
    private static final int WAIT_MS = 20_000;

    private ForeignClient() {}

    /**
     * Does everything once.
     *
     * @param arguments the port.
     */
    public static void main(final String[] arguments) throws Exception {
        final PenstockBroker guest =
                (PenstockBroker) LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(arguments[0]))
                        .lookup("penstock/Broker");
        bytes(guest);
        final PenstockBroker session = guest.logon(new Credentials("foreign", "", ""));
        callbacks(session);
        query(session);
        try {
            session.subscribe(SubscribeRequest.topic("x").filter("a >"));
            throw new IllegalStateException("was not refused");
        } catch (final BrokerException e) {
            check(e.name().equals("BAD_FILTER") && e.code() == 9, "reason " + e.getMessage());
        }
        session.logoff();
        System.out.println("done");
        System.exit(0);
    }

    private static void bytes(final PenstockBroker broker) throws Exception {
        final long subscription = broker.subscribe(SubscribeRequest.topic("bytes"));
        for (final int length : LENGTHS) {
            final byte[] data = new byte[length];
            new Random(length).nextBytes(data);
            broker.publish(Publication.of("bytes", data), false);
            final Delivery[] taken = broker.next(subscription, 10, WAIT_MS);
            check(taken.length == 1 && Arrays.equals(taken[0].data(), data), "taken " + length);
            check(Arrays.equals(broker.echo(data), data), "echoed " + length);
        }
        broker.unsubscribe(subscription);
    }

    private static void callbacks(final PenstockBroker broker) throws Exception {
        final Printer printer = new Printer();
        final MessageListener stub = (MessageListener) UnicastRemoteObject.exportObject(printer, 0);
        final long subscription =
                broker.subscribeWithCallback(SubscribeRequest.topic("foreign").filter("n > 1"), Callback.of(stub));
        final Publication[] batch = new Publication[5];
        for (int n = 0; n < batch.length; n++) {
            batch[n] = publication("foreign", "{\"n\":" + n + "}");
        }
        broker.publishBatch(batch, false);
        for (int n = 2; n < batch.length; n++) {
            check(("{\"n\":" + n + "}").equals(printer.texts.poll(20, TimeUnit.SECONDS)), "called for " + n);
        }
        broker.unsubscribe(subscription);
        UnicastRemoteObject.unexportObject(printer, true);
    }

    private static void query(final PenstockBroker broker) throws Exception {
        for (int id = 0; id < 10; id++) {
            broker.publish(publication("foreign-state", "{\"id\":" + id + "}"), false);
        }
        final long query = broker.query(
                QueryRequest.topic("foreign-state").filter("id > 4").orderBy("id"));
        final StringBuilder found = new StringBuilder();
        QueryPage page;
        do {
            page = broker.fetch(query, 2, WAIT_MS);
            for (final Delivery each : page.records()) {
                found.append(new String(each.data(), StandardCharsets.UTF_8));
            }
        } while (!page.isComplete());
        check(found.toString().equals("{\"id\":5}{\"id\":6}{\"id\":7}{\"id\":8}{\"id\":9}"), "found " + found);
    }

    private static Publication publication(final String topic, final String text) {
        return Publication.of(topic, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void check(final boolean isRight, final String what) {
        if (!isRight) {
            throw new IllegalStateException("wrong: " + what);
        }
        System.out.println("ok: " + what);
    }

    /** Keeps what comes. */
    private static final class Printer implements MessageListener {
        private final LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();

        @Override
        public void onMessages(final long subscription, final Delivery[] deliveries) {
            for (final Delivery each : deliveries) {
                texts.add(new String(each.data(), StandardCharsets.UTF_8));
            }
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {
            texts.add(name);
        }
    }
}
