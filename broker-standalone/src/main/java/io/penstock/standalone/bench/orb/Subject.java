package io.penstock.standalone.bench.orb;

import io.penstock.standalone.bench.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A server that is called, and those who call it, in processes of their own that go on from cell to cell. */
final class Subject implements AutoCloseable {
    private static final List<String> MEMORY = List.of("-Xmx2g", "-XX:MaxDirectMemorySize=2g");

    private final Kind kind;
    private final Peer server;
    private final Peer callers;

    private Subject(final Kind kind, final Peer server, final Peer callers) {
        this.kind = kind;
        this.server = server;
        this.callers = callers;
    }

    /** How something is served and called. */
    enum Kind {
        /** The bridge, called by the JDK's RMI as it is. */
        RMI("rmi", OrbServerCommand.BRIDGE, false),
        /** The bridge, called over the connections of a pool. */
        RMI_POOLED("rmi_pooled", OrbServerCommand.BRIDGE, true),
        /** Plain RMI of the JDK on both sides, beside which the others are measured. */
        PLAIN("plain", OrbServerCommand.PLAIN, false);

        private final String id;
        private final String server;
        private final boolean isPooled;

        Kind(final String id, final String server, final boolean isPooled) {
            this.id = id;
            this.server = server;
            this.isPooled = isPooled;
        }

        String id() {
            return id;
        }
    }

    static Subject start(final Kind kind) throws IOException {
        final Peer server = Peer.start(MEMORY, List.of(OrbServerCommand.NAME, kind.server));
        try {
            final String port = server.await(OrbServerCommand.READY);
            final List<String> arguments = new ArrayList<>(List.of(OrbCallersCommand.NAME, port));
            if (kind.isPooled) {
                arguments.add("--pooled");
            }
            return new Subject(kind, server, Peer.start(MEMORY, arguments));
        } catch (final IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    Kind kind() {
        return kind;
    }

    /** Measures once. Connections and threads are counted in the middle. */
    Result measure(final Cell cell, final long warmUpMs, final long ms) throws IOException, InterruptedException {
        callers.tell(
                "run " + cell.operation() + " " + cell.threadCount() + " " + cell.length() + " " + warmUpMs + " " + ms);
        final String unused = callers.await(OrbCallersCommand.WARM);
        Thread.sleep(ms / 2);
        server.tell("");
        final String[] sample = server.await(OrbServerCommand.SAMPLE).split(" ", -1);
        final String[] done = callers.await(OrbCallersCommand.DONE).split(" ", -1);
        return new Result(
                Double.parseDouble(done[0]) * 1e9 / Double.parseDouble(done[1]),
                Double.parseDouble(done[2]),
                Double.parseDouble(done[3]),
                Integer.parseInt(sample[0]),
                Integer.parseInt(sample[1]),
                Integer.parseInt(done[5]));
    }

    @Override
    public void close() {
        callers.close();
        server.close();
    }

    /**
     * What was measured.
     *
     * @param callsPerS       a second.
     * @param p50Us           time of a call, median.
     * @param p99Us           time of a call, 99th percentile.
     * @param connectionCount to the server.
     * @param threadCount     of the server, besides those that it has without callers.
     * @param failedCount     calls that failed, the warm-up's as well.
     */
    record Result(
            double callsPerS, double p50Us, double p99Us, int connectionCount, int threadCount, int failedCount) {}
}
