package io.penstock.system.permission;

import io.penstock.admin.AdminConfig;
import io.penstock.admin.AdminServer;
import io.penstock.bridge.Bridge;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.SinkConfig;
import io.penstock.broker.SinksConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Entitlement;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.Administration;
import io.penstock.client.Bookmark;
import io.penstock.client.ClientConfig;
import io.penstock.client.ClientTls;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import io.penstock.client.TopicInfo;
import io.penstock.orb.PenstockBroker;
import io.penstock.system.permission.Caller.Run;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.TlsConfig;
import java.net.URI;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A broker that listens everywhere, with the bridge and the admin server, and one who may do everything. */
final class MatrixBroker implements AutoCloseable {
    private static final TestAuthority AUTHORITY = new TestAuthority("matrix");
    private static final String ROOT = "root";
    private static final char ALIAS = '~';
    private static final int SHARD_COUNT = 2;

    private final Broker broker;
    private final Bridge bridge;
    private final AdminServer admin;
    private final PenstockClient root;
    private final Map<Transport, Caller> callers = new EnumMap<>(Transport.class);
    private final Map<Integer, String> markTopics = new TreeMap<>();
    private int runs;

    MatrixBroker(final Path folder, final int number) throws Exception {
        final TestCertificate certificate = AUTHORITY.issue("broker", "127.0.0.1");
        final String name = "matrix-" + ProcessHandle.current().pid() + "-" + number;
        broker = Broker.launch(BrokerConfig.builder()
                .listen("inproc:" + name)
                .listen("tcp://127.0.0.1:0")
                .listen("tcps://127.0.0.1:0")
                .listen("ipc:" + name)
                .threading(ThreadingMode.SHARED)
                .shardCount(SHARD_COUNT)
                .tls(TlsConfig.defaults()
                        .certificate(
                                certificate.writeCertificate(folder.resolve("broker.pem")),
                                certificate.writeKey(folder.resolve("broker.key"))))
                .journal(JournalConfig.in(folder.resolve("log").toString()).withFileLength(32 * 1024 * 1024))
                .sinks(SinksConfig.in(
                        folder.resolve("sinks").toString(), SinkConfig.named("ledger"), SinkConfig.named("stock")))
                .security(new SecurityConfig(logon -> principal(logon.user()), Authorizer.ALL, false))
                .build());
        final URI[] endpoints = broker.endpoints().toArray(URI[]::new);
        bridge = Bridge.launch(BridgeConfig.onRmiPort(0).iiop(IiopConfig.none().port(0)), endpoints[0].toString());
        admin = AdminServer.launch(AdminConfig.listening("http://127.0.0.1:0"), broker);
        root = PenstockClient.connect(ClientConfig.builder(endpoints[0].toString())
                .credentials(ROOT, "x")
                .build());
        findMarkTopics();
        callers.put(Transport.INPROC, new NativeCaller(() -> ClientConfig.builder(endpoints[0].toString())));
        callers.put(Transport.TCP, new NativeCaller(() -> ClientConfig.builder(endpoints[1].toString())));
        final String trust = AUTHORITY.writeTrust(folder.resolve("authority.pem"));
        callers.put(
                Transport.TCPS,
                new NativeCaller(
                        () -> ClientConfig.builder(endpoints[2].toString()).tls(ClientTls.trusting(trust))));
        callers.put(Transport.IPC, new NativeCaller(() -> ClientConfig.builder(endpoints[3].toString())));
        callers.put(
                Transport.RMI,
                new BridgeCaller(
                        (PenstockBroker) LocateRegistry.getRegistry("127.0.0.1", bridge.rmiPort())
                                .lookup(PenstockBroker.NAME),
                        true));
        callers.put(Transport.IIOP, new BridgeCaller(IdlSession.guests(bridge.ior()), false));
        callers.put(Transport.HTTP, new HttpCaller(admin.endpoint()));
    }

    /** Who is refused anyhow has another name each time: refused log-ons of one name have to wait. */
    private static @Nullable Principal principal(final String name) {
        if (name.isEmpty()) {
            return Principal.ANONYMOUS;
        }
        if (name.equals(ROOT)) {
            return new Principal(ROOT);
        }
        final int alias = name.indexOf(ALIAS);
        final String known = alias < 0 ? name : name.substring(0, alias);
        for (final User user : SceneGenerator.USERS) {
            if (user.name().equals(known)) {
                return new Principal(name, user.roles(), user.attributes());
            }
        }
        return null;
    }

    /**
     * Runs the cases of a scene.
     *
     * @param counts how many there were over each transport, and how many of them were refused; null not to count.
     * @return the first difference between what happened and what had to; null when there is none.
     */
    @Nullable
    String run(final Scene scene, final @Nullable Map<String, Integer> counts) throws Exception {
        final String prefix = "w" + ++runs + ".";
        final RuleBook book = scene.book(prefix);
        final Model model = new Model(book, prefix);
        for (final User user : SceneGenerator.USERS) {
            if (!book.mayConnect(user)) {
                callers.values().forEach(each -> each.forget(user));
            }
        }
        Scene.KEYED.forEach(name ->
                root.declareTopic(io.penstock.client.Topic.json(prefix + name).key("/id")));
        root.declareTopic(prefix + Scene.STATELESS, "json");
        try {
            permit(book);
            scene.before().forEach(change -> apply(prefix, model, change));
            model.mark();
            final String mark = mark();
            scene.after().forEach(change -> apply(prefix, model, change));
            for (final Command command : scene.commands()) {
                final String wrong = run(command, book, model, prefix, mark, counts);
                if (wrong != null) {
                    return wrong;
                }
            }
            return wrongRecords(prefix, model);
        } finally {
            for (final TopicInfo each : root.topics(prefix)) {
                Administration.of(root).deleteTopic(each.name());
            }
        }
    }

    private void permit(final RuleBook book) {
        final List<Role> roles = new ArrayList<>();
        book.roles()
                .forEach((name, rules) -> roles.add(
                        new Role(name, rules.stream().map(Rule::toRule).toList())));
        broker.permissions(new BesideRoot(Permissions.of(roles)));
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Caller.WAIT_MS);
        while (!broker.arePermissionsApplied()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("the permissions were not applied");
            }
            LockSupport.parkNanos(20_000);
        }
    }

    /** Where the log of each shard is. */
    private String mark() {
        Bookmark mark = Bookmark.NONE;
        for (int shard = 0; shard < SHARD_COUNT; shard++) {
            final Ack ack = root.publish(Objects.requireNonNull(markTopics.get(shard)), "{}", AckType.PROCESSED)
                    .join();
            mark = mark.with(shard, ack.bookmark().sequence(shard));
        }
        return mark.toString();
    }

    /** A topic in each shard. */
    private void findMarkTopics() {
        for (int i = 0; markTopics.size() < SHARD_COUNT; i++) {
            root.declareTopic("mark-" + i, "json");
            root.topics("mark-" + i).forEach(each -> markTopics.putIfAbsent(each.shard(), each.name()));
        }
    }

    private void apply(final String prefix, final Model model, final Change change) {
        apply(prefix, change);
        model.apply(change);
    }

    private void apply(final String prefix, final Change change) {
        final String topic = prefix + change.topic();
        if (change.kind() == Change.Type.DELETE) {
            root.sowDelete(topic, List.of("{\"id\":" + change.sample().id() + "}"));
            return;
        }
        root.publish(
                        NativeCaller.publication(topic, change.sample(), change.kind() == Change.Type.DELTA),
                        AckType.PROCESSED)
                .join();
    }

    private @Nullable String run(
            final Command asked,
            final RuleBook book,
            final Model model,
            final String prefix,
            final String mark,
            final @Nullable Map<String, Integer> counts)
            throws Exception {
        final User user = asked.user();
        final boolean isAlias = !user.name().isEmpty() && !book.mayConnect(user);
        final Command command = !isAlias
                ? asked
                : new Command(
                        asked.transport(),
                        new User(user.name() + ALIAS + runs + "." + asked.variant(), user.roles(), user.attributes()),
                        asked.kind(),
                        asked.topic(),
                        asked.filter(),
                        asked.sample(),
                        asked.keys(),
                        asked.changes(),
                        asked.variant());
        final Outcome expected = model.run(command);
        final Runnable others = once(() -> command.changes().forEach(each -> apply(prefix, each)));
        Outcome actual;
        try {
            actual = Objects.requireNonNull(callers.get(command.transport()))
                    .ask(
                            command,
                            new Run(prefix, mark, others),
                            expected.items().size());
        } catch (final Exception e) {
            actual = new Outcome("failed: " + e, List.of());
        }
        others.run();
        if (counts != null) {
            counts.merge(command.transport() + " cases", 1, Integer::sum);
            counts.merge(command.transport() + " refused", expected.code().isEmpty() ? 0 : 1, Integer::sum);
            counts.merge("messages and records", expected.items().size(), Integer::sum);
            counts.merge("kind " + command.kind(), 1, Integer::sum);
            if (!book.hidden(user, prefix + command.topic()).isEmpty()) {
                counts.merge("hidden fields", 1, Integer::sum);
                counts.merge("hidden fields, refused", expected.code().equals("NOT_ENTITLED") ? 1 : 0, Integer::sum);
                counts.merge("hidden fields, with messages", expected.items().isEmpty() ? 0 : 1, Integer::sum);
            }
        }
        return actual.equals(expected) ? null : command + "\n  had to be " + expected + "\n  but was   " + actual;
    }

    private static Runnable once(final Runnable task) {
        final boolean[] isDone = new boolean[1];
        return () -> {
            if (!isDone[0]) {
                isDone[0] = true;
                task.run();
            }
        };
    }

    /** What the cases have changed is what they were allowed to. */
    private @Nullable String wrongRecords(final String prefix, final Model model) {
        final List<String> actual = new ArrayList<>();
        for (final String name : model.names()) {
            try {
                root.sow(SowRequest.topic(prefix + name))
                        .messages()
                        .forEach(each -> actual.add(name + " " + Sample.canonical(each.text())));
            } catch (final io.penstock.client.PenstockException e) {
                if (e.errorCode() != io.penstock.protocol.ErrorCode.NO_STATE) {
                    throw e;
                }
            }
        }
        final List<String> expected = model.records().stream().sorted().toList();
        return actual.stream().sorted().toList().equals(expected)
                ? null
                : "records after the cases\n  had to be " + expected + "\n  but are   " + actual;
    }

    /** Rules about everyone are not about the one who makes the changes. */
    private record BesideRoot(Permissions permissions) implements Authorizer {
        @Override
        public boolean isAllowed(final Principal principal, final Action action, final String topic) {
            return principal.name().equals(ROOT) || permissions.isAllowed(principal, action, topic);
        }

        @Override
        public @Nullable Entitlement entitlement(final Principal principal, final List<Action> actions) {
            return principal.name().equals(ROOT) ? null : permissions.entitlement(principal, actions);
        }
    }

    @Override
    public void close() {
        callers.values().forEach(Caller::close);
        root.close();
        admin.close();
        bridge.close();
        broker.close();
    }
}
