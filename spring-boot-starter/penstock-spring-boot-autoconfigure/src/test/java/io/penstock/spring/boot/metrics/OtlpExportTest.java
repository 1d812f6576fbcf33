package io.penstock.spring.boot.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.boot.PenstockAutoConfiguration;
import io.penstock.spring.boot.embedded.EmbeddedBrokerAutoConfiguration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.metrics.export.otlp.OtlpMetricsExportAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Meters on their way to a collector of OpenTelemetry, as an application configures it. */
class OtlpExportTest {
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private HttpServer collector;

    @BeforeEach
    void listen() throws IOException {
        collector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        collector.createContext("/v1/metrics", exchange -> {
            received.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        collector.start();
    }

    @AfterEach
    void close() {
        collector.stop(0);
    }

    @Test
    void shouldSendCountersAndTimesOfTheBrokerWithTheirLabels() throws InterruptedException {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        OtlpMetricsExportAutoConfiguration.class,
                        EmbeddedBrokerAutoConfiguration.class,
                        PenstockAutoConfiguration.class,
                        PenstockMetricsAutoConfiguration.class))
                .withPropertyValues(
                        "penstock.embedded.enabled=true",
                        "management.otlp.metrics.export.url=http://127.0.0.1:"
                                + collector.getAddress().getPort() + "/v1/metrics",
                        "management.otlp.metrics.export.step=100ms")
                .run(context -> {
                    context.getBean(PenstockConnection.class).client().publish("orders", "{}");
                    context.getBean(PenstockConnection.class).client().flush();
                    assertThat(exportWith(
                                    "penstock.messages.received",
                                    "penstock.shard.published.position",
                                    "penstock.duty.cycle",
                                    "penstock.ready"))
                            .contains("thread", "shard", "io");
                });
    }

    /** The first export that has all these meters: one may be sent while meters are still being made. */
    private String exportWith(final String... meters) throws InterruptedException {
        final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        String export = "";
        while (!Stream.of(meters).allMatch(export::contains)) {
            final String next = received.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            assertThat(next)
                    .as("an export with %s; the last one was: %s", List.of(meters), export)
                    .isNotNull();
            export = next;
        }
        return export;
    }
}
