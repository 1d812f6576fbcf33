package io.penstock.standalone.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Returns whether a standard stream is a terminal; false where the system does not say so. */
public final class Terminal {
    private static final int IN = 0;
    private static final int OUT = 1;
    private static final int ERR = 2;
    private static final int COLUMNS_DEFAULT = 80;

    private Terminal() {}

    /**
     * Whether standard input is a terminal that somebody types on.
     *
     * @return false for files, pipes and dumb terminals.
     */
    public static boolean isIn() {
        return isTerminal(IN);
    }

    /**
     * Whether standard output is a terminal that can redraw lines.
     *
     * @return false for files, pipes and dumb terminals.
     */
    public static boolean isOut() {
        return isTerminal(OUT);
    }

    /**
     * Whether standard output is a terminal of any kind, which somebody looks at.
     *
     * @return false for files and pipes.
     */
    public static boolean isOutSeen() {
        return isDevice(OUT);
    }

    /**
     * Whether standard output is a pipe or a socket, whose reader may close it.
     *
     * @return false for files and terminals, and where the system does not say so.
     */
    static boolean isOutPipe() {
        final String target = target(OUT);
        return target.startsWith("pipe:") || target.startsWith("socket:");
    }

    /**
     * Whether standard error is a terminal of any kind, which somebody looks at.
     *
     * @return false for files and pipes.
     */
    public static boolean isErrSeen() {
        return isDevice(ERR);
    }

    /**
     * Whether standard error is a terminal that can redraw lines.
     *
     * @return false for files, pipes and dumb terminals.
     */
    public static boolean isErr() {
        return isTerminal(ERR);
    }

    /**
     * How wide the terminal is.
     *
     * @return columns, as the shell says them, else 80.
     */
    public static int columns() {
        final String columns = System.getenv("COLUMNS");
        return columns != null && columns.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(columns) : COLUMNS_DEFAULT;
    }

    private static boolean isTerminal(final int descriptor) {
        final String type = System.getenv("TERM");
        return type != null && !type.equals("dumb") && isDevice(descriptor);
    }

    private static boolean isDevice(final int descriptor) {
        final String target = target(descriptor);
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
    }

    /** What a descriptor is of; empty where the system does not say so. */
    private static String target(final int descriptor) {
        final Path link = Path.of("/proc/self/fd/" + descriptor);
        if (!Files.isSymbolicLink(link)) {
            return "";
        }
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (final IOException e) {
            return "";
        }
    }
}
