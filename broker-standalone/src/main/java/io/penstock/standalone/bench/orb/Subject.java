package io.penstock.standalone.bench.orb;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.bench.Peer;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A server that is called, and those who call it, in processes of their own that go on from cell to cell. */
final class Subject implements AutoCloseable {
    private static final List<String> MEMORY =
            List.of("-Xmx2g", "-XX:G1HeapRegionSize=4m", "-XX:MaxDirectMemorySize=2g");
    private static final int WARNING_VERSION = 24;
    private static final long START_MS = 60_000;
    private static final long LATE_MS = 90_000;
    private static final int DONE_WORD_COUNT = 6;

    private final Peer server;
    private final Peer callers;
    private final int idleThreadCount;

    private Subject(final Peer server, final Peer callers, final int idleThreadCount) {
        this.server = server;
        this.callers = callers;
        this.idleThreadCount = idleThreadCount;
    }

    static Subject start(final Setup setup) throws IOException, MeasureFailure {
        final Peer server = startServer(setup);
        try {
            final String beginning = setup.isCorba() ? OrbServerCommand.REFERENCE : OrbServerCommand.READY;
            final String place = server.await(beginning, START_MS);
            server.tell("");
            final String[] idle =
                    server.await(OrbServerCommand.SAMPLE, START_MS).split(" ", -1);
            return new Subject(
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
        String classPath = System.getProperty("java.class.path");
        if (setup.jar() != null) {
            // Of classes that are in both, ours count.
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
     * @param warmUpMs before that, in milliseconds; longer when a thread has not called once by then.
     * @param ms       measured time in milliseconds.
     * @return the figures.
     * @throws MeasureFailure when a process has ended or does not go on, or all calls have failed.
     */
    Measured measure(final Cell cell, final long warmUpMs, final long ms) throws MeasureFailure, InterruptedException {
        try {
            String[] done = {};
            String[] sample = {};
            // Once more when nothing ended and nothing failed: the machine stood still.
            for (int i = 0; i < 2 && (i == 0 || isEmpty(done)); i++) {
                callers.tell("run " + cell.operation() + " " + cell.threadCount() + " " + cell.length() + " " + warmUpMs
                        + " " + ms);
                final String unused = callers.await(OrbCallersCommand.WARM, warmUpMs + LATE_MS);
                Thread.sleep(ms / 2);
                server.tell("");
                sample = server.await(OrbServerCommand.SAMPLE, LATE_MS).split(" ", -1);
                done = callers.await(OrbCallersCommand.DONE, ms + LATE_MS).split(" ", DONE_WORD_COUNT);
            }
            if (Long.parseLong(done[0]) == 0) {
                throw new MeasureFailure("no call ended, " + done[4] + " failed"
                        + (done.length == DONE_WORD_COUNT ? ": " + done[5] : ""));
            }
            return new Measured(
                    Double.parseDouble(done[0]) * 1e9 / Double.parseDouble(done[1]),
                    Double.parseDouble(done[2]),
                    Double.parseDouble(done[3]),
                    Integer.parseInt(sample[0]),
                    Integer.parseInt(sample[1]) - idleThreadCount,
                    Long.parseLong(done[4]));
        } catch (final IOException | CommandFailure e) {
            throw new MeasureFailure("a process has ended, or did not answer");
        }
    }

    private static boolean isEmpty(final String[] done) {
        return done[0].equals("0") && done[4].equals("0");
    }

    /** Ends both processes. */
    @Override
    public void close() {
        callers.close();
        server.close();
    }
}
