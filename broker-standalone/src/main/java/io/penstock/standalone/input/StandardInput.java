package io.penstock.standalone.input;

import io.penstock.standalone.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Standard input. In a process that is started without one, the first file that Java opens has its descriptor: one of Java's
 * own, which nobody means.
 */
public final class StandardInput {
    private static final Path DESCRIPTOR = Path.of("/proc/self/fd/0");
    private static final Path FLAGS = Path.of("/proc/self/fdinfo/0");
    private static final Pattern WRITE_ONLY = Pattern.compile("(?m)^flags:\\s*0[0-7]*1$");

    private StandardInput() {}

    /**
     * Returns it.
     *
     * @return to be read.
     * @throws CommandFailure when it is closed.
     */
    public static InputStream open() {
        if (isClosed(DESCRIPTOR, FLAGS, Path.of(System.getProperty("java.home")))) {
            throw CommandFailure.badInput("standard input is closed (give it a file or a pipe)");
        }
        return System.in;
    }

    /** Whether a descriptor is of a file of Java's, or of one that cannot be read; false where the system does not say so. */
    static boolean isClosed(final Path descriptor, final Path flags, final Path javaHome) {
        try {
            if (!Files.isSymbolicLink(descriptor)) {
                return Files.isDirectory(descriptor.resolveSibling("."));
            }
            final Path file = Files.readSymbolicLink(descriptor);
            final Path libraries = javaHome.toRealPath().resolve("lib");
            final Matcher writeOnly = WRITE_ONLY.matcher(Files.readString(flags));
            return file.equals(libraries.resolve("modules"))
                    || (file.startsWith(libraries) && file.toString().endsWith(".jsa"))
                    || writeOnly.find();
        } catch (final IOException e) {
            return false;
        }
    }

    /**
     * Reads a message up to its end. Somebody at a terminal ends it once.
     *
     * @param in        to read.
     * @param lengthMax most bytes of a message.
     * @return all there is.
     * @throws CommandFailure when it is longer, or cannot be read.
     */
    public static byte[] readMessage(final InputStream in, final int lengthMax) {
        try {
            final byte[] message = in.readNBytes(lengthMax);
            // Below that its end was seen.
            if (message.length == lengthMax && in.read() >= 0) {
                throw CommandFailure.badInput(
                        "standard input: longer than a message may be: more than " + lengthMax + " bytes (send less)");
            }
            return message;
        } catch (final IOException e) {
            throw CommandFailure.failed(
                    "standard input: cannot be read: " + e.getMessage() + " (give a readable file)");
        }
    }
}
