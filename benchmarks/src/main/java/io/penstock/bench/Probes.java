package io.penstock.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.bench.plain.ProbeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The C programs that are packed in the jar, run from a folder that is deleted afterwards. Where they are missing, or
 * cannot run, their figures are NaN and a line on standard error says so, once.
 */
final class Probes implements AutoCloseable {
    private static final String CACHE_LINE = "cacheline_pingpong";
    private static final String TCP = "tcp_pingpong";
    private static final long TIMEOUT_S = 60;

    private final Map<String, Path> programs = new HashMap<>();
    private Path folder = Path.of("");
    private boolean hasComplained;

    Probes() {
        try {
            folder = Files.createTempDirectory("penstock-probes");
            for (final String name : List.of(CACHE_LINE, TCP)) {
                extract(name);
            }
        } catch (final IOException e) {
            complain("cannot be unpacked: " + e.getMessage());
        }
    }

    /** Round trip of a cache line between two CPUs, in nanoseconds. */
    double cacheLineNs() {
        return run(CACHE_LINE).getOrDefault("ns_per_round_trip", Double.NaN);
    }

    /**
     * Round trips of this many bytes over loopback TCP between two processes that never sleep.
     *
     * @return microseconds by {@code p50_us}, {@code p99_us}, {@code p999_us}; empty when unknown.
     */
    Map<String, Double> tcpRoundTrips(final int length, final int seconds) {
        return run(TCP, String.valueOf(length), String.valueOf(seconds));
    }

    @Override
    public void close() {
        try {
            for (final Path program : programs.values()) {
                Files.deleteIfExists(program);
            }
            Files.deleteIfExists(folder);
        } catch (final IOException e) {
            complain("cannot be removed: " + folder);
        }
    }

    private void extract(final String name) throws IOException {
        final Path program = folder.resolve(name);
        programs.put(name, program);
        if (!ProbeFile.copy(name, program)) {
            programs.remove(name);
            complain("none for this machine in the jar (build with a C compiler)");
        }
    }

    private Map<String, Double> run(final String name, final String... arguments) {
        final Path program = programs.get(name);
        if (program == null) {
            return Map.of();
        }
        final List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        try {
            final Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                complain(output.strip());
                return Map.of();
            }
            return numbers(output);
        } catch (final IOException e) {
            complain(String.valueOf(e.getMessage()));
            return Map.of();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return Map.of();
        }
    }

    private void complain(final String reason) {
        if (!hasComplained) {
            hasComplained = true;
            System.err.println("probes: " + reason);
        }
    }

    /** The numbers of a flat JSON object. */
    static Map<String, Double> numbers(final String json) throws IOException {
        final Map<String, Double> numbers = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isNumeric()) {
                    numbers.put(parser.currentName(), parser.getDoubleValue());
                }
            }
        }
        return numbers;
    }
}
