package io.penstock.standalone;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * Runs one command after another in this process, so that tests of many short commands start one JVM. Each comes on
 * standard input: how many arguments, each argument, and what the command is to find on its own standard input. After it
 * each of the two outputs gets a {@link #END} and a line with the exit code. Ends with its input.
 */
public final class CommandLoop {
    /** No command prints this. */
    public static final char END = '\0';

    private CommandLoop() {}

    /** Runs commands until there are no more. */
    public static void main(final String[] ignored) throws IOException {
        final DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
        while (true) {
            final String[] arguments;
            try {
                arguments = new String[in.readInt()];
            } catch (final EOFException e) {
                System.exit(0);
                return;
            }
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = in.readUTF();
            }
            final byte[] input = new byte[in.readInt()];
            in.readFully(input);
            System.setIn(new ByteArrayInputStream(input));
            final String end = END + "" + Main.run(arguments) + "\n";
            System.out.print(end);
            System.out.flush();
            System.err.print(end);
            System.err.flush();
        }
    }
}
