package io.penstock.bench.plain;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** The C programs that are packed in the jar for some machines. */
public final class ProbeFile {
    private ProbeFile() {}

    /**
     * Unpacks a program.
     *
     * @param name    of the program.
     * @param program the file to make, which can be executed then.
     * @return false when there is none for this machine.
     * @throws IOException when the file cannot be made.
     */
    public static boolean copy(final String name, final Path program) throws IOException {
        final String machine = System.getProperty("os.arch").replace("amd64", "x86_64");
        final String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        try (InputStream in = ProbeFile.class.getResourceAsStream(
                "/io/penstock/bench/probe/" + system + "-" + machine + "/" + name)) {
            if (in == null) {
                return false;
            }
            Files.copy(in, program, StandardCopyOption.REPLACE_EXISTING);
        }
        if (!program.toFile().setExecutable(true)) {
            throw new IOException("cannot be made executable: " + program);
        }
        return true;
    }
}
