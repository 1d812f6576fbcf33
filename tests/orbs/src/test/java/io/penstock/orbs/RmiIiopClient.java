package io.penstock.orbs;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryPage;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.rmi.PortableRemoteObject;
import org.omg.CORBA.ORB;

/** A program of somebody else, in a process of its own: it has RMI-IIOP, and the contract's Java interface. */
public final class RmiIiopClient {
    private static final int[] LENGTHS = {0, 1, 1024, 65_535, 65_536, 65_537, 1 << 20, 4 << 20, 16 << 20};
    private static final int WAIT_MS = 20_000;

    private RmiIiopClient() {}

    /**
     * Does everything once.
     *
     * @param arguments the reference, then properties of the ORB, {@code name=value}.
     */
    public static void main(final String[] arguments) throws Exception {
        final Properties properties = new Properties();
        for (final String each : Arrays.asList(arguments).subList(1, arguments.length)) {
            final int equals = each.indexOf('=');
            properties.setProperty(each.substring(0, equals), each.substring(equals + 1));
        }
        final ORB orb = ORB.init(new String[0], properties);
        final PenstockBroker guest =
                (PenstockBroker) PortableRemoteObject.narrow(orb.string_to_object(arguments[0]), PenstockBroker.class);
        bytes(guest);
        final PenstockBroker session = guest.logon(new Credentials("foreign", "ann", "a"));
        query(session);
        headers(session);
        names(session);
        callbacks(orb, session);
        refusals(guest, session);
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
        check(broker.next(subscription, 10, 0).length == 0, "nothing left");
        broker.unsubscribe(subscription);
    }

    private static void query(final PenstockBroker broker) throws Exception {
        final Publication[] batch = new Publication[10];
        for (int id = 0; id < batch.length; id++) {
            batch[id] = publication("foreign-state", "{\"id\":" + id + "}");
        }
        broker.publishBatch(batch, false);
        final long query = broker.query(
                QueryRequest.topic("foreign-state").filter("id > 4").orderBy("id"));
        final StringBuilder found = new StringBuilder();
        QueryPage page;
        do {
            page = broker.fetch(query, 2, WAIT_MS);
            for (final Delivery each : page.records()) {
                check(each.kind() == Delivery.STATE, "is state");
                found.append(text(each));
            }
        } while (!page.isComplete());
        check(found.toString().equals("{\"id\":5}{\"id\":6}{\"id\":7}{\"id\":8}{\"id\":9}"), "found " + found);
        broker.closeQuery(query);
    }

    private static void headers(final PenstockBroker broker) throws Exception {
        final long subscription =
                broker.subscribe(SubscribeRequest.topic("foreign-headers").filter("HEADER('hops') = 7"));
        final Header[] headers = {
            Header.of("region", "Zürich"), Header.of("hops", 7), Header.of("raw", new byte[] {1, 2})
        };
        broker.publishWithHeaders(publication("foreign-headers", "{}"), headers, false);
        final DeliveryWithHeaders[] taken = broker.nextWithHeaders(subscription, 10, WAIT_MS);
        check(
                taken.length == 1 && Arrays.toString(taken[0].headers()).equals("[region=Zürich, hops=7, raw=2 bytes]"),
                "taken with headers");
        final PublicationWithHeaders[] batch = {
            new PublicationWithHeaders(
                    publication("foreign-headers", "{\"n\":1}"), new Header[] {Header.of("hops", 7), headers[0]}),
            new PublicationWithHeaders(publication("foreign-headers", "{\"n\":2}"), new Header[0]),
            new PublicationWithHeaders(publication("foreign-headers", "{\"n\":3}"), headers)
        };
        broker.publishBatchWithHeaders(batch, false);
        check(next(broker, subscription).equals("{\"n\":1}[hops=7, region=Zürich]"), "first of a batch with headers");
        check(
                next(broker, subscription).equals("{\"n\":3}[region=Zürich, hops=7, raw=2 bytes]"),
                "last of a batch with headers");
        batch[1] = new PublicationWithHeaders(batch[1].message(), new Header[] {Header.of("", 1)});
        refused("BAD_HEADER", 40, () -> broker.publishBatchWithHeaders(batch, false));
        broker.unsubscribe(subscription);
    }

    private static String next(final PenstockBroker broker, final long subscription) throws Exception {
        final DeliveryWithHeaders[] taken = broker.nextWithHeaders(subscription, 1, WAIT_MS);
        check(taken.length == 1, "one taken");
        return text(taken[0].message()) + Arrays.toString(taken[0].headers());
    }

    /** Text that is not ASCII, 64-bit numbers, and a name that remembers. */
    private static void names(final PenstockBroker broker) throws Exception {
        final String topic = "grün-日本";
        final SubscribeRequest named = SubscribeRequest.topic(topic).name("foreign-name");
        final long first = broker.subscribe(named);
        broker.publish(publication(topic, "{\"n\":1}"), false);
        broker.publish(publication(topic, "{\"n\":2}"), false);
        final Delivery one = broker.next(first, 1, WAIT_MS)[0];
        check(one.topic().equals(topic), "topic " + one.topic());
        check(one.timestampNs() > 1_600_000_000_000_000_000L && one.sequence() > 0, "time and sequence");
        broker.acknowledge(first, one.bookmark());
        broker.unsubscribe(first);

        final long second = broker.subscribe(named);
        check(text(broker.next(second, 1, WAIT_MS)[0]).equals("{\"n\":2}"), "goes on after the acknowledged one");
        broker.unsubscribe(second);
        broker.forget("foreign-name");
    }

    /** An object of this program's ORB is called. */
    private static void callbacks(final ORB orb, final PenstockBroker broker) throws Exception {
        final Listener listener = new Listener();
        PortableRemoteObject.exportObject(listener);
        PortableRemoteObject.connect(listener, broker);
        final String reference = orb.object_to_string((org.omg.CORBA.Object) PortableRemoteObject.toStub(listener));
        final long subscription = broker.subscribeWithCallback(SubscribeRequest.topic("bytes"), Callback.at(reference));
        for (final int length : LENGTHS) {
            final byte[] data = new byte[length];
            new Random(length).nextBytes(data);
            broker.publish(Publication.of("bytes", data), false);
            final Delivery called = listener.called.poll(WAIT_MS, TimeUnit.MILLISECONDS);
            check(called != null && Arrays.equals(called.data(), data), "called " + length);
        }
        broker.unsubscribe(subscription);
        try {
            broker.subscribeWithCallback(
                    SubscribeRequest.topic("bytes"), Callback.at("corbaloc:iiop:1.2@192.0.2.1:1/Listener"));
            throw new IllegalStateException("was not refused: a listener elsewhere");
        } catch (final BrokerException e) {
            check(e.name().equals("NOT_AUTHORIZED"), "refused elsewhere: " + e.text());
        }
    }

    private static void refusals(final PenstockBroker guest, final PenstockBroker session) throws Exception {
        refused(
                "BAD_FILTER",
                9,
                () -> session.subscribe(SubscribeRequest.topic("x").filter("a >")));
        refused("UNKNOWN_SUBSCRIPTION", 14, () -> session.next(12345, 1, 0));
        refused("MESSAGE_TOO_LONG", 11, () -> session.echo(new byte[(16 << 20) + 1]));
        refused("AUTHENTICATION_FAILED", 5, () -> guest.logon(new Credentials("x", "ann", "wrong")));
        refused("NOT_SUPPORTED", 20, guest::logoff);
        session.logoff();
        try {
            session.echo(new byte[1]);
            throw new IllegalStateException("was not refused after logoff");
        } catch (final java.rmi.NoSuchObjectException e) {
            System.out.println("ok: refused after logoff");
        }
    }

    private static void refused(final String name, final int code, final Call call) throws Exception {
        try {
            call.run();
            throw new IllegalStateException("was not refused: " + name);
        } catch (final BrokerException e) {
            check(
                    e.name().equals(name) && e.code() == code && !e.text().isEmpty(),
                    name + " " + code + ": " + e.text());
        }
    }

    private static Publication publication(final String topic, final String text) {
        return Publication.of(topic, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(final Delivery delivery) {
        return new String(delivery.data(), StandardCharsets.UTF_8);
    }

    private static void check(final boolean isRight, final String what) {
        if (!isRight) {
            throw new IllegalStateException("wrong: " + what);
        }
        System.out.println("ok: " + what);
    }

    /** Keeps what it is called for. */
    private static final class Listener implements MessageListener {
        private final BlockingQueue<Delivery> called = new LinkedBlockingQueue<>();

        @Override
        public void onMessages(final long subscription, final Delivery[] messages) {
            called.addAll(Arrays.asList(messages));
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {
            System.out.println("end: " + name + " " + text);
        }
    }

    /** A call that may be refused. */
    private interface Call {
        void run() throws Exception;
    }
}
