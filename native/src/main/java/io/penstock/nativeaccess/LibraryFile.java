package io.penstock.nativeaccess;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A library's file: in the jar, or where a user says.
 *
 * @param name     of the file.
 * @param property that a user names another file with.
 * @param needs    what a machine needs so that the build makes it.
 */
record LibraryFile(String name, String property, String needs) {
    static final LibraryFile PENSTOCK =
            new LibraryFile("libpenstock.so", NativeLibrary.LIBRARY_PROPERTY, "a C compiler");
    static final LibraryFile DISNI = new LibraryFile(
            "libdisni.so",
            DisniLibrary.LIBRARY_PROPERTY,
            "a C compiler and the headers of rdma-core (libibverbs-dev, librdmacm-dev)");

    private static final String FOLDER = "META-INF/native/";
    private static final String TEMPORARY_REMEDY =
            "set -Djava.io.tmpdir to a directory that can be written to and that code may be loaded from";

    /**
     * Loads the library for the classes of this package's class loader.
     *
     * @param path of the library; empty for the one in the jar.
     * @return where it came from.
     * @throws IOException with the reason and a remedy, when it cannot be loaded.
     */
    String load(final String path) throws IOException {
        if (!path.isEmpty()) {
            load(Path.of(path).toAbsolutePath(), "give a file that is there, or leave the property out");
            return path;
        }
        final String resource = FOLDER + platform() + "/" + name;
        try (InputStream in = LibraryFile.class.getResourceAsStream("/" + resource)) {
            if (in == null) {
                throw new IOException("not in the jar: " + resource + " (build Penstock on such a machine with " + needs
                        + ", or name a library with -D" + property + "=PATH)");
            }
            loadCopy(in);
        }
        return resource;
    }

    /** A library is loaded from a file; it goes again at once, and what is loaded stays. */
    private void loadCopy(final InputStream in) throws IOException {
        final Path folder;
        try {
            // Only this user can look into it, so that nobody changes the file before it is loaded.
            folder = Files.createTempDirectory("penstock-native-");
        } catch (final IOException e) {
            throw new IOException("cannot be unpacked: " + e + " (" + TEMPORARY_REMEDY + ")", e);
        }
        final Path copy = folder.resolve(name);
        try {
            Files.copy(in, copy);
            load(copy, TEMPORARY_REMEDY);
        } finally {
            Files.deleteIfExists(copy);
            Files.delete(folder);
        }
    }

    private static void load(final Path file, final String remedy) throws IOException {
        try {
            System.load(file.toString());
        } catch (final IllegalCallerException e) {
            throw new IOException(e.getMessage() + " (start Java with --enable-native-access=ALL-UNNAMED)", e);
        } catch (final LinkageError | SecurityException e) {
            throw new IOException(e.getMessage() + " (" + remedy + ")", e);
        }
    }

    private static String platform() throws IOException {
        final String system = System.getProperty("os.name", "");
        final String machine = System.getProperty("os.arch", "");
        if (!system.equals("Linux")) {
            throw new IOException("there is none for " + system + " on " + machine + " (it is for Linux)");
        }
        return "linux-" + (machine.equals("amd64") ? "x86_64" : machine.toLowerCase(Locale.ROOT));
    }
}
