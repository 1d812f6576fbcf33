package io.penstock.standalone.serve;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tells systemd how far the process is, where a unit of {@code Type=notify} has started it. Java has no datagram sockets of
 * the system's own, so the system's own program sends the notice: twice in the life of a broker.
 */
final class ServiceNotice {
    private static final String SOCKET = "NOTIFY_SOCKET";
    private static final String PROGRAM = "systemd-notify";
    private static final long WAIT_S = 10;

    private final boolean isWanted;

    /**
     * @param environment of the process, which says whether anybody waits.
     */
    ServiceNotice(final Map<String, String> environment) {
        isWanted = !environment.getOrDefault(SOCKET, "").isEmpty();
    }

    /**
     * Says that clients can connect.
     *
     * @param status for people, one line.
     */
    void ready(final String status) {
        send("--ready", "--status=" + status);
    }

    /** Says that the process was asked to end. */
    void stopping() {
        send("STOPPING=1", "--status=delivering what was accepted");
    }

    /** Waits until the program has ended, as systemd does not know any more whose notice it was otherwise. */
    private void send(final String... arguments) {
        if (!isWanted) {
            return;
        }
        final List<String> command = new ArrayList<>(List.of(PROGRAM));
        command.addAll(List.of(arguments));
        try {
            final Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (!process.waitFor(WAIT_S, TimeUnit.SECONDS)) {
                process.destroy();
                report("it has not ended within " + WAIT_S + " s");
            } else if (process.exitValue() != 0) {
                report("it ended with exit code " + process.exitValue());
            }
        } catch (final IOException e) {
            report(String.valueOf(e.getMessage()));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void report(final String reason) {
        System.err.println("penstock serve: " + PROGRAM + ": " + reason
                + " (install it, or use Type=simple in the unit: systemd waits for a notice)");
    }
}
