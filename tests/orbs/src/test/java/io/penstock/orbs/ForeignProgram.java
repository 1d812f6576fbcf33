package io.penstock.orbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs programs in processes of their own. */
final class ForeignProgram {
    private static final long LIMIT_S = 120;

    private ForeignProgram() {}

    /**
     * Runs one to its end, which is to be a good one.
     *
     * @param folder  for its output.
     * @param command with its arguments.
     * @return what it printed.
     */
    static List<String> run(final Path folder, final List<String> command) throws IOException, InterruptedException {
        final File file = Files.createTempFile(folder, "output", ".txt").toFile();
        final Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(file)
                .start();
        final boolean isOver = process.waitFor(LIMIT_S, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();

        final List<String> output = Files.readAllLines(file.toPath(), StandardCharsets.UTF_8);
        assertThat(isOver).as("ended in time: %s: %s", command, output).isTrue();
        assertThat(process.exitValue()).as("%s: %s", command, output).isZero();
        return output;
    }

    /** This machine's Java, and the older one that tests run on, if there is one. */
    static Stream<Path> javas() {
        final Path own = Path.of(System.getProperty("java.home"), "bin", "java");
        final String older = System.getProperty("penstock.jdk17.java", "");
        return older.isBlank() ? Stream.of(own) : Stream.of(own, Path.of(older)).distinct();
    }

    /**
     * A Java program of the tests, with nothing of ours but what is named.
     *
     * @param folder  for a copy of the program.
     * @param java    that runs it.
     * @param program with its nested classes.
     * @param jars    that it needs of this process's class path, as an expression on their paths.
     * @param needed  classes whose jar or folder it needs.
     * @return the command, without arguments of the program.
     */
    static List<String> java(
            final Path folder, final Path java, final Class<?> program, final String jars, final Class<?>... needed)
            throws IOException, URISyntaxException {
        final List<String> places = new ArrayList<>();
        places.add(copy(folder, program).toString());
        for (final Class<?> each : needed) {
            places.add(Path.of(each.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        places.add(onClassPath(jars));
        return new ArrayList<>(List.of(
                java.toString(),
                "-Dorg.glassfish.gmbal.no.multipleUpperBoundsException=true",
                "-Dcom.sun.corba.ee.ORBUseDynamicStub=true",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                String.join(File.pathSeparator, places),
                program.getName()));
    }

    /** The jars of this process whose path has the expression; empty when there are none. */
    static String onClassPath(final String expression) {
        final Pattern pattern = Pattern.compile(expression);
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getProperty("java.class.path"))
                .filter(place -> pattern.matcher(place.replace('\\', '/')).find())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path copy(final Path folder, final Class<?> program) throws IOException, URISyntaxException {
        final Path top = Files.createTempDirectory(folder, "classes");
        final Path target = top.resolve(program.getPackageName().replace('.', '/'));
        Files.createDirectories(target);
        final Path source =
                Path.of(program.getResource(program.getSimpleName() + ".class").toURI());
        try (Stream<Path> files = Files.list(source.getParent())) {
            for (final Path file : files.toList()) {
                if (file.getFileName().toString().matches(program.getSimpleName() + "(\\$\\w+)?\\.class")) {
                    Files.copy(file, target.resolve(file.getFileName()));
                }
            }
        }
        return top;
    }
}
