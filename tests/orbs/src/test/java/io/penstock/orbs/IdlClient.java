package io.penstock.orbs;

import io.penstock.orbs.idl.BrokerException;
import io.penstock.orbs.idl.Credentials;
import io.penstock.orbs.idl.Delivery;
import io.penstock.orbs.idl.DeliveryWithHeaders;
import io.penstock.orbs.idl.Header;
import io.penstock.orbs.idl.ListenerWithHeadersHelper;
import io.penstock.orbs.idl.ListenerWithHeadersPOA;
import io.penstock.orbs.idl.MessageListenerHelper;
import io.penstock.orbs.idl.MessageListenerPOA;
import io.penstock.orbs.idl.PenstockBroker;
import io.penstock.orbs.idl.PenstockBrokerHelper;
import io.penstock.orbs.idl.Publication;
import io.penstock.orbs.idl.PublicationWithHeaders;
import io.penstock.orbs.idl.QueryPage;
import io.penstock.orbs.idl.QueryRequest;
import io.penstock.orbs.idl.SubscribeRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

/** A program of somebody else, in a process of its own: it has an ORB, and what idlj makes of the contract. */
public final class IdlClient {
    private static final int[] LENGTHS = {0, 1, 1024, 65_535, 65_536, 65_537, 1 << 20, 4 << 20, 16 << 20};
    private static final int WAIT_MS = 20_000;

    private IdlClient() {}

    /**
     * Does everything once for each ORB.
     *
     * @param arguments the reference, then properties of an ORB, {@code name=value}; {@code --} before those of the next.
     */
    public static void main(final String[] arguments) throws Exception {
        int start = 1;
        for (int end = 1; end <= arguments.length; end++) {
            if (end == arguments.length || arguments[end].equals("--")) {
                final Properties properties = new Properties();
                for (final String each : Arrays.asList(arguments).subList(start, end)) {
                    final int equals = each.indexOf('=');
                    properties.setProperty(each.substring(0, equals), each.substring(equals + 1));
                }
                try {
                    run(arguments[0], properties);
                } catch (final BrokerException e) {
                    throw new IllegalStateException("refused: " + e.name + ": " + e.text, e);
                }
                start = end + 1;
            }
        }
        System.out.println("done");
        System.exit(0);
    }

    private static void run(final String reference, final Properties properties) throws Exception {
        final ORB orb = ORB.init(new String[0], properties);
        final org.omg.CORBA.Object object = orb.string_to_object(reference);
        check(object._is_a("IDL:Penstock/PenstockBroker:1.0"), "is a PenstockBroker");
        check(!object._is_a("IDL:Penstock/MessageListener:1.0"), "is no MessageListener");
        check(!object._non_existent(), "exists");
        final PenstockBroker guest = PenstockBrokerHelper.narrow(object);
        bytes(guest);
        final PenstockBroker session = guest.logon(new Credentials("foreign", "ann", "a"));
        callbacks(orb, session);
        headers(orb, session);
        query(session);
        names(session);
        refusals(guest, session);
        orb.destroy();
    }

    private static void bytes(final PenstockBroker broker) throws Exception {
        final long subscription = broker.subscribe(subscribeRequest("bytes", "", ""));
        for (final int length : LENGTHS) {
            final byte[] data = new byte[length];
            new Random(length).nextBytes(data);
            broker.publish(new Publication("bytes", data, "", false, 0), false);
            final Delivery[] taken = broker.next(subscription, 10, WAIT_MS);
            check(taken.length == 1 && Arrays.equals(taken[0].data, data), "taken " + length);
            check(Arrays.equals(broker.echo(data), data), "echoed " + length);
        }
        check(broker.next(subscription, 10, 0).length == 0, "nothing left");
        broker.unsubscribe(subscription);
    }

    private static void callbacks(final ORB orb, final PenstockBroker broker) throws Exception {
        final POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
        poa.the_POAManager().activate();
        final Printer printer = new Printer();
        final long subscription = broker.subscribeWithCallback(
                subscribeRequest("foreign", "n > 1", ""),
                MessageListenerHelper.narrow(poa.servant_to_reference(printer)));
        final Publication[] batch = new Publication[5];
        for (int n = 0; n < batch.length; n++) {
            batch[n] = publication("foreign", "{\"n\":" + n + "}");
        }
        broker.publishBatch(batch, false);
        for (int n = 2; n < batch.length; n++) {
            check(("{\"n\":" + n + "}").equals(printer.texts.poll(20, TimeUnit.SECONDS)), "called for " + n);
        }
        final byte[] data = new byte[1 << 20];
        Arrays.fill(data, (byte) 'x');
        final String text = "{\"n\":5,\"s\":\"" + new String(data, StandardCharsets.UTF_8) + "\"}";
        broker.publish(publication("foreign", text), false);
        check(text.equals(printer.texts.poll(20, TimeUnit.SECONDS)), "called for 1 MiB");
        broker.unsubscribe(subscription);
    }

    private static void headers(final ORB orb, final PenstockBroker broker) throws Exception {
        final POA poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
        final HeaderPrinter printer = new HeaderPrinter();
        final SubscribeRequest request = subscribeRequest("foreign-headers", "HEADER('hops') = 7", "");
        final long called = broker.subscribeWithHeaders(
                request, ListenerWithHeadersHelper.narrow(poa.servant_to_reference(printer)));
        final long taking = broker.subscribe(request);
        final Header[] headers = {
            new Header("region", 0, "Zürich", 0, new byte[0]),
            new Header("hops", 1, "", 7, new byte[0]),
            new Header("raw", 2, "", 0, new byte[] {1, 2})
        };
        broker.publishWithHeaders(publication("foreign-headers", "{}"), headers, false);
        final String text = "region=Zürich hops=7 raw=[1, 2]";
        final DeliveryWithHeaders[] taken = broker.nextWithHeaders(taking, 1, WAIT_MS);
        check(taken.length == 1 && text.equals(text(taken[0].headers)), "taken with headers");
        check(text.equals(printer.texts.poll(20, TimeUnit.SECONDS)), "called with headers");
        refused(
                "BAD_HEADER",
                40,
                () -> broker.publishWithHeaders(
                        publication("foreign-headers", "{}"),
                        new Header[] {new Header("", 0, "", 0, new byte[0])},
                        false));
        final PublicationWithHeaders[] batch = {
            new PublicationWithHeaders(
                    publication("foreign-headers", "{\"n\":1}"), new Header[] {headers[1], headers[0]}),
            new PublicationWithHeaders(publication("foreign-headers", "{\"n\":2}"), new Header[0]),
            new PublicationWithHeaders(publication("foreign-headers", "{\"n\":3}"), headers)
        };
        broker.publishBatchWithHeaders(batch, false);
        check("{\"n\":1} hops=7 region=Zürich".equals(next(broker, taking)), "first of a batch with headers");
        check(("{\"n\":3} " + text).equals(next(broker, taking)), "last of a batch with headers");
        batch[1].headers = new Header[] {new Header("", 0, "", 0, new byte[0])};
        refused("BAD_HEADER", 40, () -> broker.publishBatchWithHeaders(batch, false));
        broker.unsubscribe(called);
        broker.unsubscribe(taking);
    }

    private static String next(final PenstockBroker broker, final long subscription) throws Exception {
        final DeliveryWithHeaders[] taken = broker.nextWithHeaders(subscription, 1, WAIT_MS);
        check(taken.length == 1, "one taken");
        return text(taken[0].message) + " " + text(taken[0].headers);
    }

    private static String text(final Header[] headers) {
        return Arrays.stream(headers)
                .map(each -> each.name + "="
                        + (each.type == 0 ? each.text : each.type == 1 ? each.number : Arrays.toString(each.data)))
                .collect(Collectors.joining(" "));
    }

    private static void query(final PenstockBroker broker) throws Exception {
        for (int id = 0; id < 10; id++) {
            broker.publish(publication("foreign-state", "{\"id\":" + id + "}"), false);
        }
        final long query = broker.query(new QueryRequest("foreign-state", false, "id > 4", "", "", "", "id", -1, 0));
        final StringBuilder found = new StringBuilder();
        QueryPage page;
        do {
            page = broker.fetch(query, 2, WAIT_MS);
            for (final Delivery each : page.records) {
                check(each.kind == io.penstock.orbs.idl.STATE.value, "is state");
                found.append(text(each));
            }
        } while (!page.isComplete);
        check(found.toString().equals("{\"id\":5}{\"id\":6}{\"id\":7}{\"id\":8}{\"id\":9}"), "found " + found);
        broker.closeQuery(query);
    }

    /** Text that is not ASCII, 64-bit numbers, and a name that remembers. */
    private static void names(final PenstockBroker broker) throws Exception {
        final String topic = "grün-日本";
        final SubscribeRequest named = subscribeRequest(topic, "", "foreign-name");
        final long first = broker.subscribe(named);
        broker.publish(publication(topic, "{\"n\":1}"), false);
        broker.publish(publication(topic, "{\"n\":2}"), false);
        final Delivery one = broker.next(first, 1, WAIT_MS)[0];
        check(one.topic.equals(topic), "topic " + one.topic);
        check(one.timestampNs > 1_600_000_000_000_000_000L && one._sequence > 0, "time and sequence");
        broker.acknowledge(first, one.shard + ":" + one._sequence);
        broker.unsubscribe(first);

        final long second = broker.subscribe(named);
        check(text(broker.next(second, 1, WAIT_MS)[0]).equals("{\"n\":2}"), "goes on after the acknowledged one");
        broker.unsubscribe(second);
        broker.forget("foreign-name");
    }

    private static void refusals(final PenstockBroker guest, final PenstockBroker session) {
        refused("BAD_FILTER", 9, () -> session.subscribe(subscribeRequest("x", "a >", "")));
        refused("UNKNOWN_SUBSCRIPTION", 14, () -> session.next(12345, 1, 0));
        refused("MESSAGE_TOO_LONG", 11, () -> session.echo(new byte[(16 << 20) + 1]));
        refused("AUTHENTICATION_FAILED", 5, () -> guest.logon(new Credentials("x", "ann", "wrong")));
        refused("NOT_SUPPORTED", 20, guest::logoff);
        try {
            session.logoff();
            session.echo(new byte[1]);
            throw new IllegalStateException("was not refused after logoff");
        } catch (final BrokerException e) {
            check(e.name.equals("NOT_LOGGED_ON"), "refused after logoff by " + e.name);
        } catch (final org.omg.CORBA.OBJECT_NOT_EXIST e) {
            System.out.println("ok: refused after logoff");
        }
    }

    private static void refused(final String name, final int code, final Call call) {
        try {
            call.run();
            throw new IllegalStateException("was not refused: " + name);
        } catch (final BrokerException e) {
            check(e.name.equals(name) && e.code == code && !e.text.isEmpty(), name + " " + e.code + ": " + e.text);
        }
    }

    private static SubscribeRequest subscribeRequest(final String topic, final String filter, final String name) {
        return new SubscribeRequest(topic, false, filter, "", name, false, false, false, 0);
    }

    private static Publication publication(final String topic, final String text) {
        return new Publication(topic, text.getBytes(StandardCharsets.UTF_8), "", false, 0);
    }

    private static String text(final Delivery delivery) {
        return new String(delivery.data, StandardCharsets.UTF_8);
    }

    private static void check(final boolean isRight, final String what) {
        if (!isRight) {
            throw new IllegalStateException("wrong: " + what);
        }
        System.out.println("ok: " + what);
    }

    /** A call that may be refused. */
    private interface Call {
        void run() throws BrokerException;
    }

    /** Keeps the headers that come. */
    private static final class HeaderPrinter extends ListenerWithHeadersPOA {
        private final LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();

        @Override
        public void onMessages(final long subscription, final Delivery[] messages) {
            throw new IllegalStateException("called without headers");
        }

        @Override
        public void onMessagesWithHeaders(final long subscription, final DeliveryWithHeaders[] messages) {
            for (final DeliveryWithHeaders each : messages) {
                texts.add(text(each.headers));
            }
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {
            texts.add(name);
        }
    }

    /** Keeps what comes. */
    private static final class Printer extends MessageListenerPOA {
        private final LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();

        @Override
        public void onMessages(final long subscription, final Delivery[] messages) {
            for (final Delivery each : messages) {
                texts.add(text(each));
            }
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {
            texts.add(name);
        }
    }
}
