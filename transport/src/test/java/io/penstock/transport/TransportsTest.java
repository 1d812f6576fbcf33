package io.penstock.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.tcp.TcpTransportProvider;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransportsTest {
    @TempDir
    Path directory;

    @Test
    void shouldFindATransportBesideProvidersThatCannotBeLoaded() throws IOException {
        withServices(
                "io.penstock.absent.Provider\n" + Broken.class.getName(),
                () -> assertThat(Transports.providerFor(URI.create("tcp://h:1")))
                        .isInstanceOf(TcpTransportProvider.class));
    }

    @Test
    void shouldNameProvidersThatCannotBeLoadedWhenNoneServesTheScheme() throws IOException {
        withServices(
                "io.penstock.absent.Provider\n" + Broken.class.getName(),
                () -> assertThatThrownBy(() -> Transports.providerFor(URI.create("carrier-pigeon:home")))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(
                                "endpoint: no transport for its scheme: carrier-pigeon:home (use one of [inproc, ipc,"
                                        + " tcp, tcps])")
                        .hasMessageContaining("io.penstock.absent.Provider")
                        .hasMessageContaining(Broken.class.getName())
                        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2)));
    }

    /** Runs with another file of services before those of the class path. */
    private void withServices(final String names, final Runnable check) throws IOException {
        final Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(TransportProvider.class.getName()), names);
        final Thread thread = Thread.currentThread();
        final ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            check.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** As one whose libraries are of another version. */
    public static final class Broken implements TransportProvider {
        public Broken() {
            throw new NoClassDefFoundError("io/netty/Missing");
        }

        @Override
        public String scheme() {
            return "broken";
        }

        @Override
        public Transport open(final TransportContext context) throws IOException {
            throw new IOException("broken");
        }
    }
}
