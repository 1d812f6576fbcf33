package io.penstock.standalone.bench.orb;

import io.penstock.bridge.Bridge;
import io.penstock.bridge.BridgeConfig;
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
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The process that {@link OrbBenchCommand} starts to be called: a broker, with the bridge before it or with the JDK's plain
 * RMI. It says where it listens, and for each line that it is told how many connections and threads it has for callers.
 */
@Command(name = OrbServerCommand.NAME, hidden = true, description = "Is called by bench orb.")
public final class OrbServerCommand implements Callable<Integer> {
    static final String NAME = "bench-orb-server";
    static final String BRIDGE = "bridge";
    static final String PLAIN = "plain";
    static final String READY = "ready ";
    static final String SAMPLE = "sample ";
    static final String TOPIC = "bench";

    private static final String ENDPOINT = "inproc:bench-orb";
    private static final String ESTABLISHED = "01";

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "KIND", description = "Of server: bridge or plain.")
    private String kind;

    @Override
    public Integer call() throws IOException {
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen(ENDPOINT)
                .topic(TopicConfig.topic(TOPIC, "binary"))
                .build())) {
            if (kind.equals(BRIDGE)) {
                try (Bridge bridge = Bridge.launch(BridgeConfig.onRmiPort(0), ENDPOINT)) {
                    serve(bridge.rmiPort());
                }
            } else {
                try (PenstockClient client = PenstockClient.connect(ENDPOINT)) {
                    servePlain(client);
                }
            }
            broker.printErrors(System.err);
        }
        // The runtime's threads would keep it alive.
        System.exit(Main.EXIT_OK);
        return Main.EXIT_OK;
    }

    private void servePlain(final PenstockClient client) throws IOException {
        final PlainServant servant = new PlainServant(client);
        final int port = freePort();
        final Registry registry = LocateRegistry.createRegistry(port);
        try {
            registry.bind(PenstockBroker.NAME, UnicastRemoteObject.exportObject(servant, port));
        } catch (final AlreadyBoundException e) {
            throw CommandFailure.failed("bench orb: " + e.getMessage());
        }
        serve(port);
        UnicastRemoteObject.unexportObject(servant, true);
    }

    private static int freePort() throws IOException {
        try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void serve(final int port) throws IOException {
        final PrintWriter out = spec.commandLine().getOut();
        final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        final int threadCount = ManagementFactory.getThreadMXBean().getThreadCount();
        out.println(READY + port);
        out.flush();
        while (in.readLine() != null) {
            out.println(SAMPLE + connectionCount(port) + " "
                    + (ManagementFactory.getThreadMXBean().getThreadCount() - threadCount));
            out.flush();
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
