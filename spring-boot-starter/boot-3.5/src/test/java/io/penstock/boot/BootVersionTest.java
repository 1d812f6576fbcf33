package io.penstock.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.boot.OrdersApp.Desk;
import io.penstock.boot.OrdersApp.Order;
import io.penstock.spring.boot.PenstockConnectionDetails;
import io.penstock.spring.boot.embedded.EmbeddedBroker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** The same jars on the Boot of this module, over TCP beside the Netty that it manages. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "penstock.embedded.enabled=true",
            "penstock.embedded.listen=tcp://127.0.0.1:0",
            "penstock.embedded.config.topics[0].name=orders",
            "penstock.embedded.config.topics[0].key=id",
            "management.endpoints.web.exposure.include=health,metrics",
            "management.endpoint.health.show-details=always",
            "management.endpoint.health.probes.enabled=true"
        })
@Timeout(60)
class BootVersionTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @Autowired
    private Desk desk;

    @Autowired
    private EmbeddedBroker broker;

    @Value("${local.server.port}")
    private int port;

    /** Over TCP rather than by the memory of the process. */
    @TestConfiguration(proxyBeanMethods = false)
    static class OverTcp {
        @Bean
        PenstockConnectionDetails overTcp(final EmbeddedBroker broker) {
            return () -> List.of(broker.endpoints().get(1).toString());
        }
    }

    private String page(final String path) throws Exception {
        final HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    @Test
    void shouldBeTheVersionsThatAreMeantWhenTheyAreLookedAt() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("expected.boot.version"));
        assertThat(io.netty.util.Version.identify().get("netty-transport").artifactVersion())
                .isEqualTo(System.getProperty("expected.netty.version"));
    }

    @Test
    void shouldReachListenerAndMirrorWhenAnOrderIsSent() throws Exception {
        final Order order = new Order("a-1", "ACME", 5);
        desk.send(order).get(20, TimeUnit.SECONDS);
        assertThat(desk.received.poll(20, TimeUnit.SECONDS)).isEqualTo(order);
        while (!desk.orders.containsKey("a-1")) {
            Thread.onSpinWait();
        }
        assertThat(page("/orders")).startsWith("200 ").contains("\"symbol\":\"ACME\"");
    }

    @Test
    void shouldShowHealthAndMetricsWhenTheActuatorIsAsked() throws Exception {
        assertThat(page("/actuator/health"))
                .startsWith("200 ")
                .contains("\"penstock\":")
                .contains("\"server\":\"" + broker.endpoints().get(1) + "\"")
                .contains("\"penstockBroker\":")
                .contains("\"penstockMirrors\":")
                .contains("\"penstockListeners\":")
                .contains("RUNNING");
        assertThat(page("/actuator/health/readiness")).startsWith("200 ");
        assertThat(page("/actuator/health/liveness")).startsWith("200 ");
        assertThat(page("/actuator/metrics/penstock.client.connected")).contains("\"value\":1.0");
        assertThat(page("/actuator/metrics/penstock.listener.failed")).contains("\"value\":0.0");
        assertThat(page("/actuator/metrics/penstock.mirror.live")).startsWith("200 ");
        assertThat(page("/actuator/metrics/penstock.sessions")).startsWith("200 ");
        desk.send(new Order("a-2", "ACME", 1)).get(20, TimeUnit.SECONDS);
        assertThat(page("/actuator/metrics/penstock.send")).contains("\"name\":\"penstock.send\"");
    }
}
