package io.penstock.bench.plain;

import io.penstock.bench.Peer;
import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A C program of plain loops, in a process of its own, that answers a command at a time. Confined to one thread. */
public final class PlainProgram implements AutoCloseable {
    /** Loops over arrays of rows. */
    public static final String STATE = "state_loops";

    /** Loops over filters. */
    public static final String MATCH = "match_loops";

    private static final long TIMEOUT_MS = 600_000;

    private final Peer process;

    private PlainProgram(final Peer process) {
        this.process = process;
    }

    /**
     * Starts a program.
     *
     * @param name of the program.
     * @return the program, which waits for commands.
     * @throws IOException when it cannot be unpacked or started.
     */
    public static PlainProgram start(final String name) throws IOException {
        final Path folder = Files.createTempDirectory("penstock-plain");
        try {
            final Path program = folder.resolve(name);
            if (!ProbeFile.copy(name, program)) {
                throw CommandFailure.failed("bench: the plain loops in C are not in the jar for this machine"
                        + " (install gcc and build the benchmarks again)");
            }
            final PlainProgram started = new PlainProgram(Peer.run(List.of(program.toString())));
            // An answer says that the file is not needed any more.
            started.clockGhz();
            return started;
        } finally {
            Files.deleteIfExists(folder.resolve(name));
            Files.deleteIfExists(folder);
        }
    }

    /**
     * Gives a command, and waits for its answer.
     *
     * @param command a word, and numbers.
     * @return the answer.
     */
    public PlainAnswer ask(final String command) {
        try {
            process.send(command);
            return PlainAnswer.of(process.await("", TIMEOUT_MS));
        } catch (final IOException e) {
            throw CommandFailure.failed("bench: a plain loop has ended: " + command + ": " + e.getMessage());
        }
    }

    /**
     * Measures the clock of the CPU, by additions that wait for each other.
     *
     * @return GHz.
     */
    public double clockGhz() {
        return ask("clock").number("ghz");
    }

    @Override
    public void close() {
        process.close();
    }
}
