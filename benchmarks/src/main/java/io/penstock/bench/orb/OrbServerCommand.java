package io.penstock.bench.orb;

import io.penstock.bridge.Bridge;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.client.PenstockClient;
import io.penstock.orb.PenstockBroker;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.AlreadyBoundException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.logging.LogManager;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The process that {@link OrbBenchCommand} starts to be called: a broker, with the bridge before it or with another
 * server of the contract. It prints where it listens, and for each line that it gets how many connections and threads
 * it has.
 */
@Command(name = OrbServerCommand.NAME, hidden = true, description = "Is called by bench orb.")
public final class OrbServerCommand implements Callable<Integer> {
    static final String NAME = "bench-orb-server";
    static final String RMI = "rmi";
    static final String IIOP = "iiop";
    static final String PLAIN = "plain";
    static final String OTHER = "other";
    static final String BUFFER = "--buffer";
    static final String FRAGMENT = "--fragment";
    static final String JAR = "--jar";
    static final String READY = "ready ";
    static final String REFERENCE = "IOR:";
    static final String SAMPLE = "sample ";

    /** The name that omniORB's load has for it, too. */
    static final String TOPIC = "bytes";

    private static final String ENDPOINT = "inproc:bench-orb";
    private static final String ESTABLISHED = "01";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "KIND", description = "Of server: rmi, iiop, plain or other.")
    private String kind;

    @Option(names = BUFFER, paramLabel = "BYTES", description = "Of each stream of plain's sockets; 0 = none.")
    private int bufferLength;

    @Option(names = FRAGMENT, paramLabel = "BYTES", description = "Of long answers of iiop or other.")
    private int fragmentLength;

    @Option(names = JAR, paramLabel = "JAR", description = "Of other, which is on the class path.")
    private @Nullable Path jar;

    @Override
    public Integer call() throws IOException {
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen(ENDPOINT)
                .topic(TopicConfig.topic(TOPIC, "binary"))
                .build())) {
            switch (kind) {
                case RMI -> serveBridge(BridgeConfig.onRmiPort(0));
                case IIOP ->
                    serveBridge(BridgeConfig.defaults()
                            .iiop(IiopConfig.none().port(0).fragmentLength(fragmentLength)));
                case PLAIN -> servePlain();
                case OTHER -> serveOther();
                default ->
                    throw CommandFailure.badInput(
                            NAME + ": no such server: " + kind + " (use rmi, iiop, plain or other)");
            }
            broker.printErrors(System.err);
        }
        // The runtime's threads would keep it alive.
        System.exit(Main.EXIT_OK);
        return Main.EXIT_OK;
    }

    private void serveBridge(final BridgeConfig config) throws IOException {
        try (Bridge bridge = Bridge.launch(config.callTimeoutMs(PlainServant.TIMEOUT_S * 1_000), ENDPOINT)) {
            if (config.iiop().isUsed()) {
                say(bridge.ior());
                answer(bridge.iiopPort());
            } else {
                say(READY + bridge.rmiPort());
                answer(bridge.rmiPort());
            }
        }
    }

    private void servePlain() throws IOException {
        try (PenstockClient client = PenstockClient.connect(ENDPOINT)) {
            final PlainServant servant = new PlainServant(client);
            final int port = freePort();
            final Registry registry = LocateRegistry.createRegistry(port);
            if (bufferLength == 0) {
                registry.bind(PenstockBroker.NAME, UnicastRemoteObject.exportObject(servant, port));
                say(READY + port);
                answer(port);
            } else {
                final StagedSockets sockets = new StagedSockets(bufferLength);
                final int ownPort = freePort();
                registry.bind(
                        PenstockBroker.NAME, UnicastRemoteObject.exportObject(servant, ownPort, sockets, sockets));
                say(READY + port);
                answer(ownPort);
            }
            UnicastRemoteObject.unexportObject(servant, true);
        } catch (final AlreadyBoundException e) {
            throw CommandFailure.failed("bench orb: " + e.getMessage());
        }
    }

    /** Starts the program of another ORB in this process, as the bridge would be: it says where it is itself. */
    private void serveOther() throws IOException {
        // Where calls fail it would write a page for each; they are counted.
        LogManager.getLogManager().reset();
        final int port = freePort();
        final String[] arguments = {ENDPOINT, Integer.toString(port), Integer.toString(fragmentLength)};
        final Thread thread = new Thread(() -> runMain(arguments), "other-orb");
        thread.setDaemon(true);
        thread.start();
        answer(port);
    }

    private void runMain(final String[] arguments) {
        try (JarFile file = new JarFile(String.valueOf(jar))) {
            final String name = file.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            Class.forName(name).getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (final IOException | ReflectiveOperationException | RuntimeException e) {
            System.err.println("bench orb: " + jar + ": does not serve: " + e);
            System.exit(Main.EXIT_FAILED);
        }
    }

    private static int freePort() throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void say(final String line) {
        final PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    /** Answers until nobody asks any more. */
    private void answer(final int port) throws IOException {
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (in.readLine() != null) {
            say(SAMPLE + connectionCount(port) + " "
                    + ManagementFactory.getThreadMXBean().getThreadCount());
        }
    }

    /** Connections to a port, as the system has them. */
    private static long connectionCount(final int port) throws IOException {
        final String local = String.format(Locale.ROOT, ":%04X", port);
        long count = 0;
        for (final String table : new String[] {"/proc/net/tcp", "/proc/net/tcp6"}) {
            try (Stream<String> lines = Files.lines(Path.of(table))) {
                count += lines.map(line -> line.strip().split("\\s+", -1))
                        .filter(fields -> fields[1].endsWith(local) && fields[3].equals(ESTABLISHED))
                        .count();
            }
        }
        return count;
    }
}
