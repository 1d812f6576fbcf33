package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BridgeServeTest {
    private static final String WHERE = "RMI clients on 127.0.0.1:";

    /** That the object of request 7 is here. */
    private static final byte[] LOCATED = {'G', 'I', 'O', 'P', 1, 0, 0, 4, 0, 0, 0, 8, 0, 0, 0, 7, 0, 0, 0, 1};

    @TempDir
    private Path directory;

    @Test
    void shouldServeRmiClientsWhenConfigured() throws Exception {
        try (Penstock broker = Penstock.start("serve", "--listen", "tcp://127.0.0.1:0", "--set", "bridge.rmi.port=0")) {
            final PenstockBroker client = lookup(broker);

            final long subscription = client.subscribe(SubscribeRequest.topic("t"));
            client.publish(Publication.of("t", "{\"n\":1}".getBytes(StandardCharsets.UTF_8)), false);

            assertThat(new String(client.next(subscription, 1, 20_000)[0].data(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"n\":1}");
        }
    }

    @Test
    void shouldPrintItsReferenceWhenItServesCorbaClients() throws Exception {
        final Path file = directory.resolve("broker.ior");
        try (Penstock broker = Penstock.start(
                "serve",
                "--listen",
                "tcp://127.0.0.1:0",
                "--set",
                "bridge.iiop.port=0",
                "--set",
                "bridge.iiop.iorFile=" + file)) {
            final String where = broker.awaitLine("IIOP clients on 127.0.0.1:");
            final int port = Integer.parseInt(where.substring(where.lastIndexOf(':') + 1));
            final String reference = broker.awaitLine("IOR:");

            assertThat(Files.readString(file).strip()).isEqualTo(reference);
            assertThat(locate(port)).containsExactly(LOCATED);
        }
    }

    /** Asks for the object by a message written by hand. */
    private static byte[] locate(final int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GIOP\1\0\0\3\0\0\0\26\0\0\0\7\0\0\0\16PenstockBroker"
                            .getBytes(StandardCharsets.ISO_8859_1));
            return socket.getInputStream().readNBytes(LOCATED.length);
        }
    }

    @Test
    void shouldWaitForRmiClientsAndSayWhatIsLeftWhenItStops() throws Exception {
        try (Penstock broker = Penstock.start(
                "serve", "--listen", "tcp://127.0.0.1:0", "--set", "bridge.rmi.port=0", "--drain", "4")) {
            final PenstockBroker client = lookup(broker);
            client.subscribe(SubscribeRequest.topic("t"));
            client.publish(Publication.of("t", "{\"n\":1}".getBytes(StandardCharsets.UTF_8)), false);

            broker.terminate();
            final var result = broker.await();

            assertThat(result.out())
                    .containsPattern("some deliveries were cut off: [0-9]+ bytes waited for clients of the bridge");
            assertThat(result.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void shouldLeaveNothingWhenAnRmiClientTakesWhileItStops() throws Exception {
        try (Penstock broker = Penstock.start(
                "serve", "--listen", "tcp://127.0.0.1:0", "--set", "bridge.rmi.port=0", "--drain", "60")) {
            final PenstockBroker client = lookup(broker);
            final long subscription = client.subscribe(SubscribeRequest.topic("t"));
            client.publish(Publication.of("t", "{\"n\":1}".getBytes(StandardCharsets.UTF_8)), false);

            broker.terminate();
            broker.awaitLine("stopping: ");
            assertThat(client.next(subscription, 1, 20_000)).hasSize(1);
            final var result = broker.await();

            assertThat(result.out()).contains("nothing was left");
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void shouldEndThreadsWithinSecondsWhenRmiConnectionsHaveEnded() throws Exception {
        final int connectionCount = 100;
        try (Penstock broker = Penstock.start("serve", "--listen", "tcp://127.0.0.1:0", "--set", "bridge.rmi.port=0")) {
            final int port = rmiPort(broker);
            final int threadCount = threadCount(broker);
            final List<Socket> sockets = new ArrayList<>();
            for (int i = 0; i < connectionCount; i++) {
                sockets.add(greeted(port));
            }
            assertThat(threadCount(broker)).isGreaterThanOrEqualTo(threadCount + connectionCount * 9 / 10);
            for (final Socket socket : sockets) {
                socket.close();
            }
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (threadCount(broker) > threadCount + connectionCount / 2) {
                assertThat(System.nanoTime())
                        .as("within half of the runtime's own minute")
                        .isLessThan(deadlineNs);
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    /** A connection whose thread has answered the protocol's greeting, and waits for a call. */
    private static Socket greeted(final int port) throws IOException {
        final Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write(new byte[] {'J', 'R', 'M', 'I', 0, 2, 'K'});
        assertThat(socket.getInputStream().read()).isEqualTo('N');
        return socket;
    }

    private static int threadCount(final Penstock broker) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(broker.pid()), "task"))) {
            return (int) threads.count();
        }
    }

    private static int rmiPort(final Penstock broker) throws Exception {
        final String line = broker.awaitLine(WHERE);
        return Integer.parseInt(line.substring(line.indexOf(WHERE) + WHERE.length()));
    }

    private static PenstockBroker lookup(final Penstock broker) throws Exception {
        return (PenstockBroker)
                LocateRegistry.getRegistry("127.0.0.1", rmiPort(broker)).lookup(PenstockBroker.NAME);
    }

    @Test
    void shouldNameKeyReasonAndRemedyWhenTheBridgeIsConfiguredWrongly() throws Exception {
        final var result =
                Penstock.runAlone("serve", "--listen", "tcp://127.0.0.1:0", "--set", "bridge.rmi.port=70000");

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("bridge.rmi.port: too large: 70000 (use -1 to 65535)");
    }
}
