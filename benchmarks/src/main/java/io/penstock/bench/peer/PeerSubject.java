package io.penstock.bench.peer;

import io.penstock.bench.Children;
import io.penstock.bench.Subject;
import io.penstock.bench.forwarder.Forwarder;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Another broker, as it comes, without persistence, or the bare forwarder, started on a free port of the loopback
 * interface.
 */
public final class PeerSubject implements Subject {
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int CONNECT_TIMEOUT_MS = 1_000;

    private final Kind kind;
    private final int port;
    private final int payloadLengthMax;
    private final Process process;

    private PeerSubject(final Kind kind, final int port, final int payloadLengthMax, final Process process) {
        this.kind = kind;
        this.port = port;
        this.payloadLengthMax = payloadLengthMax;
        this.process = process;
    }

    /** Which broker. */
    public enum Kind {
        REDIS("redis-server") {
            @Override
            List<String> command(final int port, final int payloadLengthMax) {
                return List.of(
                        program(),
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "no",
                        "--client-output-buffer-limit",
                        "pubsub 0 0 0");
            }

            @Override
            PeerProtocol protocol(final DeliveryHandler handler) {
                return new RedisProtocol(handler);
            }
        },
        NATS("nats-server") {
            @Override
            List<String> command(final int port, final int payloadLengthMax) {
                return List.of(program(), "--port", String.valueOf(port), "--addr", "127.0.0.1");
            }

            @Override
            PeerProtocol protocol(final DeliveryHandler handler) {
                return new NatsProtocol(handler);
            }
        },
        FORWARDER(Path.of(System.getProperty("java.home"), "bin", "java").toString()) {
            @Override
            List<String> command(final int port, final int payloadLengthMax) {
                return List.of(
                        program(),
                        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Forwarder.class.getName(),
                        String.valueOf(port),
                        String.valueOf(payloadLengthMax));
            }

            @Override
            PeerProtocol protocol(final DeliveryHandler handler) {
                return new ForwarderProtocol(handler);
            }
        };

        private final String program;

        Kind(final String program) {
            this.program = program;
        }

        String program() {
            return program;
        }

        abstract List<String> command(int port, int payloadLengthMax);

        abstract PeerProtocol protocol(DeliveryHandler handler);
    }

    /**
     * Starts it.
     *
     * @param kind             of broker.
     * @param payloadLengthMax of the longest message, in bytes.
     * @return the broker, which listens.
     * @throws IOException when there is no free port.
     */
    public static PeerSubject start(final Kind kind, final int payloadLengthMax) throws IOException {
        final int port = Children.freePort();
        final Process process;
        try {
            process = new ProcessBuilder(kind.command(port, payloadLengthMax))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (final IOException e) {
            throw CommandFailure.failed("--beside: cannot be started: " + kind.program() + " (install it)");
        }
        final PeerSubject subject = new PeerSubject(kind, port, payloadLengthMax, process);
        final long deadlineNs = System.nanoTime() + START_TIMEOUT_NS;
        while (!subject.isListening()) {
            if (!process.isAlive() || System.nanoTime() - deadlineNs > 0) {
                subject.close();
                throw CommandFailure.failed(
                        "--beside: does not listen: " + kind.program() + " (run it by hand to see)");
            }
            LockSupport.parkNanos(RETRY_NS);
        }
        return subject;
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MS);
            return true;
        } catch (final IOException e) {
            return false;
        }
    }

    @Override
    public String name() {
        return kind.name().toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public PublishPort openPublisher() {
        return connect((buffer, offset, length) -> {});
    }

    @Override
    public DeliveryPort openSubscriber(final DeliveryHandler handler) {
        return connect(handler).subscribe();
    }

    private SocketPort connect(final DeliveryHandler handler) {
        try {
            return new SocketPort(port, payloadLengthMax, kind.protocol(handler));
        } catch (final IOException e) {
            throw CommandFailure.failed(name() + ": cannot connect: " + e.getMessage());
        }
    }

    @Override
    public Usage usage() {
        return new Usage(Children.cpuNs(process.pid()), Double.NaN, Double.NaN);
    }

    @Override
    public void close() {
        Children.end(process);
    }
}
