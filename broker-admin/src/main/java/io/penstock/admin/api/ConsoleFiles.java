package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The files of the console, all read at the start: no request reaches a file system. Immutable. */
final class ConsoleFiles {
    private static final String FOLDER = "/io/penstock/admin/console/";
    private static final String INDEX = "index.html";
    private static final String ROOT = "console";
    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "json", "application/json");

    private final Map<String, byte[]> files;

    private ConsoleFiles(final Map<String, byte[]> files) {
        this.files = Map.copyOf(files);
    }

    /** Reads the files that lie beside the classes. */
    static ConsoleFiles read() {
        final URL index = ConsoleFiles.class.getResource(FOLDER + INDEX);
        final Map<String, byte[]> files = new HashMap<>();
        if (index != null) {
            try {
                if (index.openConnection() instanceof JarURLConnection connection) {
                    readJar(connection, files);
                } else {
                    readFolder(
                            Objects.requireNonNull(
                                    Path.of(URI.create(index.toString())).getParent()),
                            files);
                }
            } catch (final IOException e) {
                throw new UncheckedIOException("admin: files of the console cannot be read: " + e.getMessage(), e);
            }
        }
        return new ConsoleFiles(files);
    }

    private static void readJar(final JarURLConnection connection, final Map<String, byte[]> files) throws IOException {
        connection.setUseCaches(false);
        try (JarFile jar = connection.getJarFile()) {
            for (final JarEntry entry : jar.stream().toList()) {
                final String name = "/" + entry.getName();
                if (name.startsWith(FOLDER) && !entry.isDirectory()) {
                    try (InputStream in = jar.getInputStream(entry)) {
                        files.put(name.substring(FOLDER.length()), in.readAllBytes());
                    }
                }
            }
        }
    }

    private static void readFolder(final Path folder, final Map<String, byte[]> files) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (final Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
            }
        }
    }

    /** Whether a path is one of the console. */
    boolean has(final List<String> path) {
        return path.get(0).equals(ROOT) || (path.size() == 1 && path.get(0).isEmpty());
    }

    /** Answers with a file, or leads to the console. */
    void handle(final Exchange exchange) {
        final List<String> path = exchange.request().segments();
        if (!exchange.request().isRead()) {
            throw new ProblemException(405, "BAD_METHOD", "method: not for a file (use GET or HEAD)");
        }
        if (files.isEmpty()) {
            throw new ProblemException(404, "NOT_FOUND", "console: is not in this build (use the API below /api/v1)");
        }
        if (path.size() == 1) {
            exchange.header("Location", "/console/").answer(302, "", new byte[0]);
            return;
        }
        final String name = String.join("/", path.subList(1, path.size()));
        final byte[] file = files.get(name.isEmpty() ? INDEX : name);
        if (file == null) {
            throw new ProblemException(404, "NOT_FOUND", "console: no such file: " + name + " (begin at /console/)");
        }
        exchange.answer(200, mediaType(name.isEmpty() ? INDEX : name), file);
    }

    private static String mediaType(final String name) {
        return MEDIA_TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain; charset=utf-8");
    }
}
