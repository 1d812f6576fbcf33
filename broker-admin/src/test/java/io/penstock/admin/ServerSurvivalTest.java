package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A server goes on serving whatever fails, also when what reports failures fails itself. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class ServerSurvivalTest {
    private static final int DESCRIPTOR_COUNT = 200;
    private static final String REQUEST = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    private Process process;
    private BufferedReader output;
    private URI endpoint;

    @BeforeEach
    void start() throws IOException {
        final String java =
                Path.of(System.getProperty("java.home"), "bin", "java").toString();
        process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n " + DESCRIPTOR_COUNT + "; exec \"$0\" \"$@\"",
                        java,
                        "-cp",
                        classPath(),
                        "-Xmx128m",
                        ServedWords.class.getName())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        endpoint = URI.create("http://127.0.0.1:" + awaitLine(""));
    }

    /** What a launcher of tests has loaded by itself is not in the property. */
    private static String classPath() {
        final Stream<String> own = ServedWords.class.getClassLoader() instanceof URLClassLoader loader
                ? Arrays.stream(loader.getURLs()).map(URL::getPath)
                : Stream.empty();
        return Stream.concat(own, Stream.of(System.getProperty("java.class.path")))
                .collect(Collectors.joining(File.pathSeparator));
    }

    @AfterEach
    void stop() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private String awaitLine(final String prefix) throws IOException {
        String line = output.readLine();
        while (!Objects.requireNonNull(line, "the server has ended").startsWith(prefix)) {
            line = output.readLine();
        }
        return line;
    }

    private String ask(final String path) throws IOException {
        try (RawHttp client = new RawHttp(endpoint)) {
            client.send("GET " + path + REQUEST);
            return client.all();
        }
    }

    @Test
    void shouldAnswerAgainWhenFilesWereTooMany() throws IOException {
        final List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < DESCRIPTOR_COUNT; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), endpoint.getPort()));
            }
            assertThat(awaitLine("error")).containsIgnoringCase("too many open files");
        } finally {
            for (final Socket socket : sockets) {
                socket.close();
            }
        }

        assertThat(ask("/")).startsWith("HTTP/1.1 200").endsWith("done");
    }

    @Test
    void shouldGoOnWhenAHandlerFailsAndItsReportToo() throws IOException {
        assertThat(ask("/error")).startsWith("HTTP/1.1 500");
        assertThat(awaitLine("error")).isEqualTo("error handler");
        assertThat(ask("/later")).startsWith("HTTP/1.1 200");
        assertThat(awaitLine("error")).isEqualTo("error later");
        assertThat(ask("/")).startsWith("HTTP/1.1 200");
    }
}
