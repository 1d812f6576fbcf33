package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.metric.BrokerMetrics;
import io.penstock.client.AckType;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowRequest;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.management.Attribute;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTest extends AdminFixture {
    private static final String HISTOGRAM = """
            # TYPE a histogram
            # HELP a Help.
            a_bucket{b="c",le="1.0"} 2
            a_bucket{b="c",le="2.0"} 3
            a_bucket{b="c",le="+Inf"} 4
            a_count{b="c"} 4
            a_sum{b="c"} 1.5
            # EOF
            """;

    @TempDir
    private Path folder;

    @Override
    BrokerConfig.Builder brokerConfig() {
        return super.brokerConfig()
                .journal(JournalConfig.in(folder.resolve("journal").toString()));
    }

    @Override
    AdminConfig config() {
        final AdminConfig given = super.config();
        return new AdminConfig(
                given.listen(),
                given.hosts(),
                false,
                given.connectionCountMax(),
                given.streamCountMax(),
                given.tailCountMax(),
                given.queryCountMax(),
                given.bodyLengthMax(),
                given.requestTimeoutMs(),
                given.idleTimeoutMs(),
                given.sessionTimeoutMs(),
                true);
    }

    @Test
    void shouldBeWellFormedAndCount() throws Exception {
        try (PenstockClient client = connect()) {
            for (int i = 0; i < 42; i++) {
                client.publish("news", "{}");
            }
            client.flush();
        }
        final HttpResponse<String> response = get("/metrics");
        assertThat(response.headers().firstValue("Content-Type"))
                .hasValue("application/openmetrics-text; version=1.0.0; charset=utf-8");
        final OpenMetricsCheck metrics = OpenMetricsCheck.parse(response.body());

        assertThat(metrics.value("penstock_messages_received_total{io=\"0\"}")).isEqualTo(42);
        assertThat(metrics.value("penstock_payload_received_bytes_total{io=\"0\"}"))
                .isEqualTo(84);
        assertThat(metrics.value("penstock_ready")).isEqualTo(1);
        assertThat(metrics.value("penstock_shard_journal_status{shard=\"0\"}")).isZero();
        assertThat(metrics.families()).doesNotContain("penstock_other");
        assertThat(get("/api/v1/metrics").statusCode()).isEqualTo(200);
    }

    /** Every counter of the page is one of the metrics. */
    @Test
    void shouldNameEveryCounterOfTheBroker() throws Exception {
        final OpenMetricsCheck metrics = OpenMetricsCheck.parse(get("/metrics").body());
        final long[] count = new long[1];
        broker.counters().forEach((value, id, label) -> count[0]++);
        assertThat(metrics.samples().keySet().stream().filter(sample -> !isOfProcess(sample)))
                .hasSize((int) count[0]);
    }

    private static boolean isOfProcess(final String sample) {
        return sample.matches("penstock_(admin|process|heap|gc|threads|build|ready).*")
                || sample.matches(".*_seconds_(bucket|count|sum)[{].*");
    }

    @Test
    void shouldExportHowLongThingsTakeAsHistograms() throws Exception {
        try (PenstockClient client = connect()) {
            client.subscribe("prices", message -> {});
            client.publish("prices", "{\"symbol\":\"A\"}", AckType.PERSISTED).get(30, TimeUnit.SECONDS);
            client.sow(SowRequest.topic("prices"));
            client.flush();
        }
        final OpenMetricsCheck metrics = OpenMetricsCheck.parse(get("/metrics").body());

        assertThat(metrics.value("penstock_delivery_seconds_count{io=\"0\"}")).isPositive();
        assertThat(metrics.value("penstock_delivery_seconds_bucket{io=\"0\",le=\"+Inf\"}"))
                .isEqualTo(metrics.value("penstock_delivery_seconds_count{io=\"0\"}"));
        assertThat(metrics.value("penstock_query_seconds_count{io=\"0\"}")).isEqualTo(1);
        assertThat(metrics.value("penstock_query_seconds_sum{io=\"0\"}")).isBetween(1e-7, 10.0);
        assertThat(metrics.value("penstock_shard_persist_seconds_count{shard=\"0\"}"))
                .isPositive();
        assertThat(metrics.value("penstock_shard_persist_seconds_sum{shard=\"0\"}"))
                .isBetween(1e-7, 20.0);
        for (final String thread : List.of("broker", "journaler", "query-0")) {
            assertThat(metrics.value("penstock_duty_cycle_seconds_count{thread=\"" + thread + "\"}"))
                    .as(thread)
                    .isPositive();
        }
        assertThat(metrics.families()).contains("penstock_duty_cycle_seconds");
        assertThat(BrokerMetrics.times(broker.histograms())).hasSameSizeAs(broker.histograms());
    }

    @Test
    void shouldBeReadAsAttributesOfABean() throws Exception {
        final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        final Set<ObjectName> names = server.queryNames(new ObjectName("io.penstock:type=Broker,*"), null);
        assertThat(names).hasSize(1);
        final ObjectName name = names.iterator().next();
        assertThat(server.getAttribute(name, "io-0.connections")).isEqualTo(0L);
        assertThat(server.getMBeanInfo(name).getAttributes()).hasSizeGreaterThan(50);
        connect().close();
        assertThat((long) server.getAttribute(name, "broker.dutyCycleCount")).isPositive();
        assertThat((long) server.getAttribute(name, "broker.dutyCycleP99Us")).isPositive();
        assertThat(server.getAttribute(name, "io-0.queryP50Us")).isEqualTo(0L);
        assertThatThrownBy(() -> server.setAttribute(name, new Attribute("io-0.connections", 1L)))
                .hasMessageContaining("can only be read");
        admin.close();
        assertThat(server.queryNames(new ObjectName("io.penstock:type=Broker,*"), null))
                .isEmpty();
    }

    @Test
    void shouldRefuseTextThatIsNotWellFormed() {
        final String good = "# TYPE a counter\n# HELP a Help.\na_total 1\n# EOF\n";
        OpenMetricsCheck.parse(good);
        OpenMetricsCheck.parse(HISTOGRAM);
        for (final String bad : new String[] {
            "",
            "# TYPE a counter\na_total 1\n",
            "a 1\n# EOF\n",
            "# TYPE a counter\na 1\n# EOF\n",
            "# TYPE a gauge\na_total 1\n# EOF\n",
            "# TYPE a gauge\na 1\na 1\n# EOF\n",
            "# TYPE a gauge\na{b=\"c} 1\n# EOF\n",
            "# TYPE a gauge\n# TYPE a gauge\na 1\n# EOF\n",
            "# TYPE a gauge\n# UNIT a bytes\na 1\n# EOF\n",
            "# TYPE a gauge\na x\n# EOF\n",
            good + "\n",
            HISTOGRAM.replace("le=\"2.0\"", "le=\"1.0\""),
            HISTOGRAM.replace("le=\"2.0\"} 3", "le=\"2.0\"} 1"),
            HISTOGRAM.replace("a_count{b=\"c\"} 4", "a_count{b=\"c\"} 5"),
            HISTOGRAM.replace("a_count{b=\"c\"} 4", "a_count{b=\"d\"} 4"),
            HISTOGRAM.replace("a_sum{b=\"c\"} 1.5\n", ""),
            HISTOGRAM.replace("a_bucket{b=\"c\",le=\"+Inf\"} 4\n", ""),
            HISTOGRAM.replace("a_sum", "a_total")
        }) {
            assertThatThrownBy(() -> OpenMetricsCheck.parse(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
