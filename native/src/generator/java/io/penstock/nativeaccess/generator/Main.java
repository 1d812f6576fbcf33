package io.penstock.nativeaccess.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the build runs. */
public final class Main {
    private static final String PACKAGE = "io/penstock/nativeaccess/";

    private Main() {}

    /**
     * Writes all that is generated.
     *
     * @param arguments the list of signatures, and the folders for C, for Java 17 and for Java 22.
     * @throws IOException              when a file cannot be read or written.
     * @throws IllegalArgumentException when the list is wrong.
     */
    public static void main(final String... arguments) throws IOException {
        final Signatures signatures = Signatures.parse(Files.readAllLines(Path.of(arguments[0])));
        final Path c = Path.of(arguments[1]);
        final Path java = Path.of(arguments[2]).resolve(PACKAGE);
        final Path java22 = Path.of(arguments[3]).resolve(PACKAGE);
        write(c.resolve("penstock.h"), CWriter.header(signatures));
        write(c.resolve("jni.c"), CWriter.jniGlue(signatures));
        write(java.resolve("NativeAccess.java"), JavaWriter.access(signatures));
        write(java.resolve("JniAccess.java"), JavaWriter.jniBinding(signatures));
        write(
                java.resolve("IncubatorAccess.java"),
                JavaWriter.handleBinding(signatures, "IncubatorAccess", "INCUBATOR", "IncubatorLinker"));
        write(
                java22.resolve("ForeignAccess.java"),
                JavaWriter.handleBinding(signatures, "ForeignAccess", "FOREIGN", "ForeignLinker"));
    }

    /** Leaves a file alone that is so already, so that nothing is compiled again for it. */
    private static void write(final Path file, final String text) throws IOException {
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
    }
}
