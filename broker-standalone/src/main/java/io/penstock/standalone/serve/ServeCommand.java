package io.penstock.standalone.serve;

import io.penstock.admin.AdminConfig;
import io.penstock.admin.AdminServer;
import io.penstock.bridge.Bridge;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.ConfigCheck;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.LoggedEvents;
import io.penstock.broker.journal.RecoveryListener;
import io.penstock.client.PenstockException;
import io.penstock.cluster.ClusterConfig;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import io.penstock.standalone.Version;
import io.penstock.standalone.config.ConfigPrinter;
import io.penstock.standalone.config.ConfigSource;
import io.penstock.standalone.config.WideFile;
import io.penstock.standalone.logger.LogConfig;
import io.penstock.standalone.logger.ProcessLog;
import io.penstock.transport.tls.TlsContexts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a broker. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Runs a broker until it is interrupted (Ctrl-C, SIGTERM): then it takes no more messages, delivers"
                    + " what it has, and ends with exit code 0. On SIGHUP it reads its configuration again.",
            "What the file may hold is in docs/reference/configuration.md."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  penstock serve                                           # defaults, on tcp://127.0.0.1:9100",
            "  penstock serve penstock.yaml                             # from a file",
            "  penstock serve --listen tcp://127.0.0.1:0                # on a free port, which is printed",
            "  penstock serve --admin                                   # with an API and a console for administrators",
            "  penstock serve --topic frames=binary --idle busy         # a topic, and the lowest latency",
            "  penstock serve --set sinks.directory=/data --sink events # a file that producers deliver blocks to",
            "  penstock serve --set window.segmentCount=16              # any key of the file",
            "  penstock serve --cluster cluster.yaml --member 0         # as one of several nodes",
            "  penstock serve --check penstock.yaml                     # what is wrong with it, without a start"
        })
public final class ServeCommand implements Callable<Integer> {
    private static final String FORMAT_SEPARATOR = "=";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "0..1", description = "Configuration in YAML (default: all defaults).")
    private @Nullable Path file;

    @Option(
            names = "--listen",
            paramLabel = "URI",
            description = "Endpoint to listen on, in place of the file's; repeatable.")
    private @Nullable List<String> listen;

    @Option(names = "--threading", paramLabel = "MODE", description = "shared or dedicated.")
    private @Nullable String threading;

    @Option(names = "--idle", paramLabel = "MODE", description = "blocking, back_off or busy.")
    private @Nullable String idle;

    @Option(
            names = "--topic",
            paramLabel = "NAME[=FORMAT]",
            description = "Create a topic, with a format (default: formatDefault of the file); repeatable.")
    private List<String> topics = List.of();

    @Option(
            names = "--sink",
            paramLabel = "NAME",
            description = "Have a sink that blocks can be delivered to, in sinks.directory; repeatable.")
    private List<String> sinks = List.of();

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "Any key of the configuration file; repeatable.")
    private Map<String, String> values = Map.of();

    @Option(
            names = "--admin",
            description = "Have an admin server, at " + AdminConfig.LISTEN_LOCAL + " unless admin.listen is set.")
    private boolean isAdmin;

    @Option(
            names = "--cluster",
            paramLabel = "FILE",
            description = "Configuration in YAML, in place of FILE, of a node of a cluster: it names cluster.members.")
    private @Nullable Path clusterFile;

    @Option(names = "--member", paramLabel = "N", description = "Which of cluster.members this node is, from 0.")
    private @Nullable Integer member;

    @Option(
            names = "--drain",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "The longest wait for deliveries when it stops (default: 10).")
    private int drainS;

    @Option(
            names = "--check",
            description = "Only say what is wrong with the configuration and with what it names; start nothing.")
    private boolean isChecked;

    @Option(
            names = "--print-config",
            description = "Only print the configuration as it would be used, every key with its value; start nothing.")
    private boolean isPrinted;

    @Option(names = "--samples", hidden = true, description = "Answer each line of standard input with a usage sample.")
    private boolean isSampled;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (drainS < 0) {
            throw CommandFailure.badInput("--drain: too small: " + drainS + " (use 0 or more)");
        }
        if (isChecked) {
            return new ServeCheck(spec.commandLine().getOut()).run(this::source);
        }
        final ConfigSource source = source();
        if (isPrinted) {
            print(source);
            return Main.EXIT_OK;
        }
        final BridgeConfig bridgeConfig = source.bridge();
        final LogConfig logConfig = source.log();
        final AdminConfig adminConfig = source.admin();
        final ClusterConfig cluster = source.cluster();
        final BrokerConfig config =
                BridgeEndpoint.added(AdminEndpoint.added(source.config(), adminConfig), bridgeConfig);
        if (config.threading() == ThreadingMode.INVOKER) {
            throw CommandFailure.badInput("threading: invoker has no threads (use shared or dedicated)");
        }
        AdminEndpoint.check(config, adminConfig);
        ProcessLog.configure(logConfig);
        final AtomicReference<@Nullable Runnable> onHangup = new AtomicReference<>();
        final boolean isReloadedBySignal = Hangup.handle(onHangup);
        // A broker goes on when nobody reads what it prints.
        final PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        // It answers questions about its health while the broker recovers.
        final AdminServer adminServer = AdminEndpoint.open(adminConfig, bridgeConfig, logConfig, config.tls());
        reportWideFile(source);
        final Served served = launch(config, cluster, new RecoveryPrinter(out), source);
        final Broker broker = served.broker();
        final Bridge bridge = launch(bridgeConfig, broker);
        if (adminServer != null) {
            adminServer.attach(broker);
        }
        final ServiceNotice notice = new ServiceNotice(System.getenv());
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(new Stop(served, bridge, adminServer, drainS, out, notice), "penstock-stop"));
        final ServeReload reload = new ServeReload(this::source, broker, adminConfig, bridgeConfig, logConfig, cluster);
        onHangup.set(reload::get);
        describe(out, broker, config);
        if (cluster.isUsed()) {
            out.printf(
                    "member %d of a cluster of %d%n",
                    cluster.member(), cluster.members().size());
        }
        if (adminServer != null) {
            adminServer.onReload(reload);
            out.println("administration at " + adminServer.endpoint());
        }
        if (!isReloadedBySignal) {
            out.println(
                    "SIGHUP is ignored, as nohup has it: it does not reload the configuration (use POST /api/v1/reload"
                            + " of the admin server, or start with setsid instead)");
        }
        if (bridge != null) {
            describe(out, bridge, bridgeConfig);
        }
        notice.ready("listening on "
                + broker.endpoints().stream().map(Object::toString).collect(Collectors.joining(", ")));
        if (isSampled) {
            UsageSample.answer(System.in, out);
        } else {
            new CountDownLatch(1).await();
        }
        return Main.EXIT_OK;
    }

    private static void reportWideFile(final ConfigSource source) {
        final WideFile wide = source.wideSecrets();
        if (wide != null) {
            LoggedEvents.INSTANCE.onEvent(Event.of(
                    EventKind.WIDE_RIGHTS,
                    System.currentTimeMillis(),
                    "file",
                    wide.file(),
                    "of",
                    "configuration",
                    "remedy",
                    wide.remedy()));
        }
    }

    private void print(final ConfigSource source) {
        // What is wrong with files that it names is said.
        source.config();
        final PrintWriter out = spec.commandLine().getOut();
        out.print(new ConfigPrinter()
                .add(source.settings())
                .add("admin", source.admin())
                .add("bridge", source.bridge())
                .add("log", source.log())
                .add("cluster", source.cluster()));
        out.flush();
    }

    private static Served launch(
            final BrokerConfig config,
            final ClusterConfig cluster,
            final RecoveryListener listener,
            final ConfigSource source) {
        try {
            return cluster.isUsed() ? Served.node(config, cluster, listener) : Served.alone(config, listener);
        } catch (final IllegalArgumentException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        } catch (final UncheckedIOException e) {
            throw failure(config, source, String.valueOf(e.getMessage()));
        }
    }

    /** What a check would have named is a mistake in the configuration: another start would end like this one. */
    private static CommandFailure failure(final BrokerConfig config, final ConfigSource source, final String text) {
        return ConfigCheck.of(config).stream()
                .filter(ConfigCheck.Finding::isMistake)
                .findFirst()
                .map(finding -> CommandFailure.badInput(source.origin(finding.key()) + ": " + finding.text()))
                .orElseGet(() -> CommandFailure.failed(text));
    }

    private static @Nullable Bridge launch(final BridgeConfig config, final Broker broker) {
        if (!config.isUsed()) {
            return null;
        }
        try {
            return Bridge.launch(config, BridgeEndpoint.ENDPOINT, BridgeEndpoint.security(broker));
        } catch (final IllegalArgumentException e) {
            broker.close();
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        } catch (final UncheckedIOException | PenstockException e) {
            broker.close();
            throw CommandFailure.failed(String.valueOf(e.getMessage()));
        }
    }

    private ConfigSource source() {
        final ConfigSource source = new ConfigSource();
        if (file != null && clusterFile != null) {
            throw CommandFailure.badInput("--cluster: beside FILE: " + file + " (give one of them)");
        }
        if (file != null) {
            source.file(file);
        }
        if (clusterFile != null) {
            source.file(clusterFile);
            if (!source.cluster().isUsed()) {
                throw CommandFailure.badInput(
                        "--cluster: names no nodes: " + clusterFile + " (list cluster.members in it)");
            }
        }
        if (member != null) {
            source.value("cluster.member", String.valueOf(member), "--member");
        }
        if (listen != null) {
            source.list("listen", listen, "--listen");
        }
        if (threading != null) {
            source.value("threading", threading, "--threading");
        }
        if (idle != null) {
            source.value("idle", idle, "--idle");
        }
        values.forEach((key, value) -> source.value(key, value, "--set"));
        for (final String topic : topics) {
            final int separator = topic.lastIndexOf(FORMAT_SEPARATOR);
            source.topic(
                    separator < 0 ? topic : topic.substring(0, separator),
                    separator < 0 ? "" : topic.substring(separator + 1),
                    "--topic");
        }
        sinks.forEach(sink -> source.sink(sink, "--sink"));
        if (isAdmin && !source.admin().isUsed()) {
            source.value("admin.listen", AdminConfig.LISTEN_LOCAL, "--admin");
        }
        return source;
    }

    private static void describe(final PrintWriter out, final Bridge bridge, final BridgeConfig config) {
        if (bridge.rmiPort() >= 0) {
            out.printf("RMI clients on %s:%d%n", config.rmi().address(), bridge.rmiPort());
        }
        if (bridge.iiopPort() >= 0) {
            out.printf("IIOP clients on %s:%d%n", config.iiop().address(), bridge.iiopPort());
            out.println(bridge.ior());
        }
        out.flush();
    }

    private static void describe(final PrintWriter out, final Broker broker, final BrokerConfig config) {
        out.printf(
                "Penstock %s, process %d%n",
                Version.current(), ProcessHandle.current().pid());
        out.printf(
                "%d shard%s, each with a window of %,d MiB; %s threads, %s when idle%n",
                config.shardCount(),
                config.shardCount() == 1 ? "" : "s",
                ((long) config.window().segmentLength() * config.window().segmentCount()) >> 20,
                config.threading().name().toLowerCase(Locale.ROOT),
                config.idle().name().toLowerCase(Locale.ROOT));
        broker.placements()
                .forEach(each -> out.printf("%s on CPU %d (thread %d)%n", each.role(), each.cpu(), each.threadId()));
        broker.endpoints().forEach(endpoint -> out.println("listening on " + endpoint));
        final TlsContexts tls = broker.tls();
        if (tls != null) {
            out.println("TLS engine: " + tls.engine());
        }
        out.flush();
    }
}
