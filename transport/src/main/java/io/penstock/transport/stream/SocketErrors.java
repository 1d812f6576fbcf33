package io.penstock.transport.stream;

import io.penstock.transport.tls.TlsException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.Locale;

/** Translates errors of Java, Netty and the kernel into our words. */
public final class SocketErrors {
    private SocketErrors() {}

    /**
     * The reason of an error.
     *
     * @param ex of a socket.
     * @return for example {@code connection reset by peer}.
     */
    public static String reasonOf(final IOException ex) {
        final String message = ex.getMessage();
        if (message == null || message.isEmpty()) {
            return ex.getClass().getSimpleName();
        }
        if (ex instanceof TlsException) {
            return message;
        }
        // Netty: "recvAddress(..) failed with error(-104): Connection reset by peer".
        final int end = message.indexOf("failed with error(");
        final int start = end < 0 ? 0 : message.indexOf(':', end) + 1;
        return message.substring(start).strip().toLowerCase(Locale.ROOT);
    }

    /** Says what cannot be done, why, and what helps, in place of the system's exception, which says no more. */
    static IOException cannot(final String verb, final StreamEndpoint endpoint, final IOException cause) {
        final String reason = reasonOf(cause);
        final String text = endpoint.uri() + ": cannot " + verb + ": " + reason + " (" + remedyFor(reason) + ")";
        return cause instanceof ConnectException ? new ConnectException(text) : new IOException(text);
    }

    private static String remedyFor(final String reason) {
        if (reason.contains("already in use")) {
            return "choose another port, or stop the program that has it";
        } else if (reason.contains("refused")) {
            return "start the listener, or correct the address";
        } else if (reason.contains("assign requested address")) {
            return "use an address of this machine";
        } else if (reason.contains("permission denied")) {
            return "choose a port above 1023, or allow this program to bind it";
        } else if (reason.contains("too many open files")) {
            return "raise the limit of open files";
        }
        return "check the address and the network";
    }
}
