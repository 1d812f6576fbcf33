package io.penstock.system.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.client.BookmarkStore;
import io.penstock.client.PenstockClient;
import io.penstock.client.Publication;
import io.penstock.client.PublishOptions;
import io.penstock.client.PublishStore;
import io.penstock.nativeaccess.NativeLibrary;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker in a program and its clients, in a JVM that was started without any flag but the binding of the native library. */
class WithoutFlagsTest {
    @Test
    void shouldBeTestedWithoutFlags() {
        assumeTrue(NativeLibrary.get().isAvailable());
        assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments())
                .noneMatch(each -> each.startsWith("--add-exports") || each.startsWith("--enable-native-access"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "jni"})
    void shouldWorkInAProgramThatIsStartedWithoutFlags(final String binding) throws Exception {
        assertThat(outputOf(binding, Program.class)).contains("inproc: 7", "tcp: 7");
    }

    @ParameterizedTest
    @ValueSource(
            classes = {PublishStoreFirst.class, BookmarkStoreFirst.class, PublicationFirst.class, OptionsFirst.class})
    void shouldWorkWhenSomethingElseIsMadeBeforeTheFirstClient(final Class<?> program) throws Exception {
        assertThat(outputOf("auto", program)).contains("made");
    }

    private static List<String> outputOf(final String binding, final Class<?> program) throws Exception {
        assumeTrue(NativeLibrary.get().isAvailable());
        final ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dpenstock.native=" + binding,
                        "-cp",
                        System.getProperty("java.class.path"),
                        program.getName())
                .redirectErrorStream(true);
        builder.environment().remove("JDK_JAVA_OPTIONS");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        final Process process = builder.start();
        process.getOutputStream().close();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    /** A publisher that opens its store. */
    static final class PublishStoreFirst {
        private PublishStoreFirst() {}

        public static void main(final String... arguments) {
            PublishStore.inMemory(10, 65_536).close();
            System.out.println("made");
        }
    }

    /** A subscriber that opens its store. */
    static final class BookmarkStoreFirst {
        private BookmarkStoreFirst() {}

        public static void main(final String... arguments) {
            BookmarkStore.inMemory().close();
            System.out.println("made");
        }
    }

    /** A publisher that makes its options. */
    static final class OptionsFirst {
        private OptionsFirst() {}

        public static void main(final String... arguments) {
            PublishOptions.NONE.header("region", "EU");
            System.out.println("made");
        }
    }

    /** A publisher that makes its first message. */
    static final class PublicationFirst {
        private PublicationFirst() {}

        public static void main(final String... arguments) {
            Publication.to("t").text("7").header("region", "EU").header("attempt", 1);
            System.out.println("made");
        }
    }

    /** As the README has it, by both ways. */
    static final class Program {
        private Program() {}

        public static void main(final String... arguments) throws Exception {
            final BrokerConfig config = BrokerConfig.embedded("flags");
            final List<URI> endpoints = List.of(URI.create("inproc:flags"), URI.create("tcp://127.0.0.1:0"));
            try (Broker broker = Broker.launch(config.listen(endpoints))) {
                for (final URI endpoint : broker.endpoints()) {
                    System.out.println(endpoint.getScheme() + ": " + heard(endpoint.toString()));
                }
            }
        }

        private static String heard(final String endpoint) throws Exception {
            try (PenstockClient client = PenstockClient.connect(endpoint)) {
                final CompletableFuture<String> heard = new CompletableFuture<>();
                client.subscribe("t", message -> heard.complete(message.text()));
                client.publish("t", "7");
                return heard.get(1, TimeUnit.MINUTES);
            }
        }
    }
}
