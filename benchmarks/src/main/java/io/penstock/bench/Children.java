package io.penstock.bench;

import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Processes that a benchmark starts, and ends. */
public final class Children {
    private static final long END_TIMEOUT_S = 10;
    private static final long NS_PER_TICK = 10_000_000L;
    private static final int FIELDS_AFTER_NAME_BEFORE_CPU = 11;

    private Children() {}

    /** A port of the loopback interface that was free a moment ago. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** CPU time, in user and system mode, of all threads of a process; in steps of 10 ms. */
    public static long cpuNs(final long pid) {
        try {
            final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.UTF_8);
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[FIELDS_AFTER_NAME_BEFORE_CPU])
                            + Long.parseLong(fields[FIELDS_AFTER_NAME_BEFORE_CPU + 1]))
                    * NS_PER_TICK;
        } catch (final IOException e) {
            throw CommandFailure.failed("bench: cannot read the CPU time of process " + pid + " (this needs Linux)");
        }
    }

    /** Asks a process to end, and makes it end when it does not. */
    public static void end(final Process process) {
        process.destroy();
        try {
            if (process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                return;
            }
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
