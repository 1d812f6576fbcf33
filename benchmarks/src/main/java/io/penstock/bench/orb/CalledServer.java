package io.penstock.bench.orb;

import io.penstock.bench.Peer;
import io.penstock.standalone.CommandFailure;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A server and its callers, in processes of their own that go on from cell to cell. */
final class CalledServer implements AutoCloseable {
    private static final List<String> MEMORY =
            List.of("-Xmx2g", "-XX:G1HeapRegionSize=4m", "-XX:MaxDirectMemorySize=2g");
    private static final int WARNING_VERSION = 24;
    private static final long START_MS = 60_000;
    private static final long LATE_MS = 90_000;
    private static final int DONE_WORD_COUNT = 8;

    private final Peer server;
    private final Peer callers;
    private final int idleThreadCount;

    private CalledServer(final Peer server, final Peer callers, final int idleThreadCount) {
        this.server = server;
        this.callers = callers;
        this.idleThreadCount = idleThreadCount;
    }

    static CalledServer start(final Setup setup) throws IOException, MeasureFailure {
        final Peer server = startServer(setup);
        try {
            final String beginning = setup.isCorba() ? OrbServerCommand.REFERENCE : OrbServerCommand.READY;
            final String place = server.await(beginning, START_MS);
            server.send("");
            final String[] idle =
                    server.await(OrbServerCommand.SAMPLE, START_MS).split(" ", -1);
            return new CalledServer(
                    server,
                    startCallers(setup, setup.isCorba() ? beginning + place : place),
                    Integer.parseInt(idle[1]));
        } catch (final CommandFailure e) {
            server.close();
            throw new MeasureFailure("the server did not start (see its message)");
        } catch (final IOException e) {
            server.close();
            throw e;
        }
    }

    private static Peer startServer(final Setup setup) throws IOException {
        final List<String> options = new ArrayList<>(MEMORY);
        final List<String> arguments = new ArrayList<>(List.of(OrbServerCommand.NAME));
        arguments.addAll(setup.server());
        if (setup.server().get(0).equals(OrbServerCommand.PLAIN)) {
            // The address in stubs; else it is the name of the machine.
            options.add("-Djava.rmi.server.hostname=127.0.0.1");
        }
        String classPath = System.getProperty("java.class.path");
        if (setup.jar() != null) {
            // If a class is in both, ours counts.
            classPath += File.pathSeparator + setup.jar();
            options.add("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
            // Beyond 240 GlassFish's ORB closes connections that are in use.
            options.add("-Dcom.sun.corba.ee.connection.ORBHighWaterMark=2000");
            if (Runtime.version().feature() >= WARNING_VERSION) {
                options.add("--sun-misc-unsafe-memory-access=allow");
            }
        }
        return Peer.start(options, classPath, arguments);
    }

    private static Peer startCallers(final Setup setup, final String place) throws IOException {
        final List<String> command = new ArrayList<>();
        command.add(
                setup.program() == null
                        ? OrbCallersCommand.NAME
                        : setup.program().toString());
        command.add(place);
        command.addAll(setup.callers());
        return setup.program() == null ? Peer.start(MEMORY, command) : Peer.run(command);
    }

    /**
     * Measures once. Connections and threads are counted in the middle.
     *
     * @param cell     what is called, by how many.
     * @param warmUpMs before that, in milliseconds.
     * @param firstCallsMs longest wait for threads that have not called once by then, in milliseconds.
     * @param ms       measured time in milliseconds.
     * @return the figures.
     * @throws MeasureFailure when a process has ended or does not go on, or no call has ended in the measured time.
     */
    Measured measure(final Cell cell, final long warmUpMs, final long firstCallsMs, final long ms)
            throws MeasureFailure, InterruptedException {
        try {
            callers.send("run " + cell.operation() + " " + cell.threadCount() + " " + cell.length() + " " + warmUpMs
                    + " " + firstCallsMs + " " + ms);
            final String unused = callers.await(OrbCallersCommand.WARM, warmUpMs + firstCallsMs + LATE_MS);
            Thread.sleep(ms / 2);
            server.send("");
            final String[] sample =
                    server.await(OrbServerCommand.SAMPLE, LATE_MS).split(" ", -1);
            return measured(
                    callers.await(OrbCallersCommand.DONE, ms + LATE_MS).split(" ", DONE_WORD_COUNT),
                    Integer.parseInt(sample[0]),
                    Integer.parseInt(sample[1]) - idleThreadCount);
        } catch (final IOException | CommandFailure e) {
            throw new MeasureFailure("a process has ended, or did not answer");
        }
    }

    /**
     * Takes what callers said.
     *
     * @param done            words of the line, the last one with spaces.
     * @param connectionCount to the server.
     * @param threadCount     of the server, besides those that it has without callers.
     * @return the figures.
     * @throws MeasureFailure when no call has ended in the measured time.
     */
    static Measured measured(final String[] done, final int connectionCount, final int threadCount)
            throws MeasureFailure {
        final long callCount = Long.parseLong(done[0]);
        if (callCount == 0) {
            final String reason = done.length == DONE_WORD_COUNT ? done[DONE_WORD_COUNT - 1] : "";
            throw new MeasureFailure("no call ended, " + done[5] + " failed" + (reason.isEmpty() ? "" : ": " + reason));
        }
        return new Measured(
                callCount * 1e9 / Double.parseDouble(done[1]),
                callCount,
                new Measured.CallTimes(
                        Double.parseDouble(done[2]), Double.parseDouble(done[3]), Double.parseDouble(done[4])),
                connectionCount,
                threadCount,
                Long.parseLong(done[5]),
                Integer.parseInt(done[6]));
    }

    /** Ends both processes. */
    @Override
    public void close() {
        callers.close();
        server.close();
    }
}
