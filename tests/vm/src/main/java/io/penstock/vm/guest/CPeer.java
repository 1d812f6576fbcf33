package io.penstock.vm.guest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The C program beside the transport, which the build puts into the jar when it has a compiler. */
final class CPeer {
    private static final String RESOURCE = "/META-INF/native-test/rdma-peer";

    private final Path program;

    private CPeer(final Path program) {
        this.program = program;
    }

    /** Unpacks it, or null when it is not there. */
    static @Nullable CPeer unpack(final Path folder) throws IOException {
        try (InputStream in = CPeer.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                return null;
            }
            final Path program = folder.resolve("rdma-peer");
            Files.copy(in, program, StandardCopyOption.REPLACE_EXISTING);
            if (!program.toFile().setExecutable(true)) {
                throw new IOException(program + ": cannot be made executable");
            }
            return new CPeer(program);
        }
    }

    /** Runs it, and returns the number after a name in what it prints. */
    double run(final String name, final String... args) throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(args));
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        final int exitCode = process.waitFor();
        final int at = output.indexOf(name + "=");
        if (exitCode != 0 || at < 0) {
            throw new IOException("rdma-peer: exit code " + exitCode + ": " + output);
        }
        final String rest = output.substring(at + name.length() + 1);
        return Double.parseDouble(rest.split("\\s", 2)[0]);
    }
}
