package io.penstock.system.permission;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.ListenerWithHeaders;
import io.penstock.orb.PageWithHeaders;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryPage;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Clients of the bridge: operations of one contract, by RMI or by IIOP. */
final class BridgeCaller implements Caller {
    private static final String[] KINDS = {"MESSAGE", "STATE", "MESSAGE", "OOF_MATCH", "OOF_DELETED", "OOF_EXPIRED"};
    private static final int COUNT_MAX = 500;

    private final PenstockBroker guests;
    private final boolean isRmi;
    private final Map<String, PenstockBroker> sessions = new HashMap<>();

    BridgeCaller(final PenstockBroker guests, final boolean isRmi) {
        this.guests = guests;
        this.isRmi = isRmi;
    }

    private PenstockBroker session(final User user) throws RemoteException, BrokerException {
        if (user.name().isEmpty()) {
            return guests;
        }
        PenstockBroker session = sessions.get(user.name());
        if (session == null) {
            session = guests.logon(new Credentials("", user.name(), "x"));
            sessions.put(user.name(), session);
        }
        return session;
    }

    @Override
    public Outcome ask(final Command command, final Run run, final int expected) throws Exception {
        try {
            return ask(session(command.user()), command, run, expected);
        } catch (final BrokerException e) {
            return Outcome.refused(e.name());
        }
    }

    private Outcome ask(final PenstockBroker broker, final Command command, final Run run, final int expected)
            throws Exception {
        final String topic = run.absolute(command.topic());
        final String filter = command.filterText();
        return switch (command.kind()) {
            case LOG_ON -> logOn(broker, command);
            case PUBLISH, PUBLISH_TO_NEW_TOPIC, PUBLISH_DELTA -> publish(broker, command, topic);
            case SUBSCRIBE -> subscribe(broker, command, SubscribeRequest.topic(topic), run, expected);
            case SUBSCRIBE_TO_PATTERN ->
                subscribe(broker, command, SubscribeRequest.pattern(run.pattern(command.topic())), run, expected);
            case SOW_AND_SUBSCRIBE -> {
                final SubscribeRequest request = SubscribeRequest.topic(topic).sow();
                final SubscribeRequest asked = command.isDelta() ? request.delta() : request;
                yield subscribe(broker, command, command.isOof() ? asked.oof() : asked, run, expected);
            }
            case REPLAY ->
                subscribe(broker, command, SubscribeRequest.topic(topic).from(run.mark()), run, expected);
            case REPLAY_OF_PATTERN ->
                subscribe(
                        broker,
                        command,
                        SubscribeRequest.pattern(run.pattern(command.topic())).from(run.mark()),
                        run,
                        expected);
            case QUERY ->
                Outcome.of(fetch(broker, command, QueryRequest.topic(topic).filter(filter), run));
            case QUERY_OF_PATTERN ->
                Outcome.of(fetch(
                        broker,
                        command,
                        QueryRequest.pattern(run.pattern(command.topic())).filter(filter),
                        run));
            case QUERY_OF_COUNT -> {
                final QueryRequest request =
                        QueryRequest.topic(topic).filter(filter).select("COUNT(*) AS n");
                yield Outcome.of(fetch(broker, command, request, run).stream()
                        .map(row -> row.replaceAll(".*n=(\\d+).*", "$1"))
                        .toList());
            }
            default -> throw new IllegalStateException("not an operation of the bridge: " + command.kind());
        };
    }

    /** Echo alone does not ask the broker, and a name that nobody has is forgotten; a guest logs on with its first call. */
    private static Outcome logOn(final PenstockBroker broker, final Command command)
            throws RemoteException, BrokerException {
        broker.echo(new byte[1]);
        broker.forget("nobody-" + command.variant());
        if (command.user().name().isEmpty()) {
            final PenstockBroker own = broker.logon(new Credentials("", "", ""));
            own.logoff();
        }
        return Outcome.DONE;
    }

    private static Outcome publish(final PenstockBroker broker, final Command command, final String topic)
            throws RemoteException, BrokerException {
        Publication message = Publication.of(topic, command.sample().json().getBytes(StandardCharsets.UTF_8));
        message = command.kind() == Kind.PUBLISH_DELTA ? message.delta() : message;
        final Header[] headers = command.sample().headers().entrySet().stream()
                .map(each -> Header.of(each.getKey(), each.getValue()))
                .toArray(Header[]::new);
        final boolean isBatch = command.variant() % 2 == 0;
        if (headers.length == 0 && command.variant() % 4 < 2) {
            if (isBatch) {
                broker.publishBatch(new Publication[] {message}, false);
            } else {
                broker.publish(message, false);
            }
        } else if (isBatch) {
            broker.publishBatchWithHeaders(
                    new PublicationWithHeaders[] {new PublicationWithHeaders(message, headers)}, false);
        } else {
            broker.publishWithHeaders(message, headers, false);
        }
        return Outcome.DONE;
    }

    private Outcome subscribe(
            final PenstockBroker broker,
            final Command command,
            final SubscribeRequest bare,
            final Run run,
            final int expected)
            throws Exception {
        final SubscribeRequest request = bare.filter(command.filterText());
        return switch (command.variant() % 4) {
            case 0 -> called(broker, command, request, run, expected, false);
            case 1 -> called(broker, command, request, run, expected, true);
            case 2 -> taken(broker, request, run, expected, false);
            default -> taken(broker, request, run, expected, true);
        };
    }

    private static Outcome taken(
            final PenstockBroker broker,
            final SubscribeRequest request,
            final Run run,
            final int expected,
            final boolean isWithHeaders)
            throws RemoteException, BrokerException {
        final long id = broker.subscribe(request);
        try {
            run.others().run();
            final List<String> items = new ArrayList<>();
            int timeoutMs = items.size() < expected ? WAIT_MS : LOOK_MS;
            while (next(broker, id, timeoutMs, isWithHeaders, run, items)) {
                timeoutMs = items.size() < expected ? WAIT_MS : LOOK_MS;
            }
            return Outcome.of(items);
        } finally {
            broker.unsubscribe(id);
        }
    }

    private static boolean next(
            final PenstockBroker broker,
            final long id,
            final int timeoutMs,
            final boolean isWithHeaders,
            final Run run,
            final List<String> items)
            throws RemoteException, BrokerException {
        final int before = items.size();
        if (isWithHeaders) {
            for (final DeliveryWithHeaders each : broker.nextWithHeaders(id, COUNT_MAX, timeoutMs)) {
                items.add(item(each.message(), run));
            }
        } else {
            for (final Delivery each : broker.next(id, COUNT_MAX, timeoutMs)) {
                items.add(item(each, run));
            }
        }
        return items.size() > before;
    }

    private static String item(final Delivery delivery, final Run run) {
        return run.item(KINDS[delivery.kind()], delivery.topic(), new String(delivery.data(), StandardCharsets.UTF_8));
    }

    /** By IIOP nobody is at the listener's address, so that only what is refused can be told. */
    private Outcome called(
            final PenstockBroker broker,
            final Command command,
            final SubscribeRequest request,
            final Run run,
            final int expected,
            final boolean isWithHeaders)
            throws Exception {
        if (!isRmi) {
            final Callback nobody = Callback.at("nobody");
            final long id = isWithHeaders
                    ? broker.subscribeWithHeaders(request, nobody)
                    : broker.subscribeWithCallback(request, nobody);
            try {
                broker.unsubscribe(id);
            } catch (final BrokerException e) {
                // The call of the listener has failed before.
                return ask(broker, asTaken(command), run, expected);
            }
            return ask(broker, asTaken(command), run, expected);
        }
        final Listener listener = new Listener(run);
        try {
            UnicastRemoteObject.exportObject(listener, 0);
            final Callback callback = Callback.of(listener);
            final long id = isWithHeaders
                    ? broker.subscribeWithHeaders(request, callback)
                    : broker.subscribeWithCallback(request, callback);
            run.others().run();
            final List<String> items = new ArrayList<>();
            @Nullable String item;
            do {
                item = listener.items.poll(items.size() < expected ? WAIT_MS : LOOK_MS, TimeUnit.MILLISECONDS);
                if (item != null) {
                    items.add(item);
                }
            } while (item != null);
            broker.unsubscribe(id);
            return Outcome.of(items);
        } finally {
            UnicastRemoteObject.unexportObject(listener, true);
        }
    }

    private static Command asTaken(final Command command) {
        return new Command(
                command.transport(),
                command.user(),
                command.kind(),
                command.topic(),
                command.filter(),
                command.sample(),
                command.keys(),
                command.changes(),
                command.variant() / 4 * 4 + 2);
    }

    private static List<String> fetch(
            final PenstockBroker broker, final Command command, final QueryRequest request, final Run run)
            throws RemoteException, BrokerException {
        final long id = broker.query(request);
        final List<String> items = new ArrayList<>();
        boolean isComplete = false;
        while (!isComplete) {
            if (command.variant() % 2 == 0) {
                final QueryPage page = broker.fetch(id, COUNT_MAX, WAIT_MS);
                for (final Delivery each : page.records()) {
                    items.add(item(each, run));
                }
                isComplete = page.isComplete();
            } else {
                final PageWithHeaders page = broker.fetchWithHeaders(id, COUNT_MAX, WAIT_MS);
                for (final DeliveryWithHeaders each : page.records()) {
                    items.add(item(each.message(), run));
                }
                isComplete = page.isComplete();
            }
        }
        broker.closeQuery(id);
        return items;
    }

    @Override
    public void forget(final User user) {
        final PenstockBroker session = sessions.remove(user.name());
        if (session != null) {
            try {
                session.logoff();
            } catch (final Exception e) {
                // It has ended already.
                return;
            }
        }
    }

    @Override
    public void close() {
        List.copyOf(sessions.keySet()).forEach(name -> forget(new User(name, java.util.Set.of(), Map.of())));
        if (!isRmi) {
            IdlSession.close(guests);
        }
    }

    /** Takes what it is called with. */
    private static final class Listener implements ListenerWithHeaders {
        private final Run run;
        private final BlockingQueue<String> items = new LinkedBlockingQueue<>();

        Listener(final Run run) {
            this.run = run;
        }

        @Override
        public void onMessages(final long subscription, final Delivery[] messages) {
            for (final Delivery each : messages) {
                items.add(item(each, run));
            }
        }

        @Override
        public void onMessagesWithHeaders(final long subscription, final DeliveryWithHeaders[] messages) {
            for (final DeliveryWithHeaders each : messages) {
                items.add(item(each.message(), run));
            }
        }

        @Override
        public void onEnd(final long subscription, final int code, final String name, final String text) {
            items.add("END " + name);
        }
    }
}
