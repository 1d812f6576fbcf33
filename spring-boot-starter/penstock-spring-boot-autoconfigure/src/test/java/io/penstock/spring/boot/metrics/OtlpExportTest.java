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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
                    assertThat(received.poll(20, TimeUnit.SECONDS))
                            .contains("penstock.messages.received", "penstock.shard.published.position")
                            .contains("penstock.duty.cycle", "penstock.ready")
                            .contains("thread", "shard", "io");
                });
    }
}
