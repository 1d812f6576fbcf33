package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.AuditConfig;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.TlsConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard and the alert rules name metrics that a broker exports. */
class MonitoringFilesTest extends AdminFixture {
    private static final Path FOLDER = Path.of("..", "docs", "operating", "monitoring");
    private static final Pattern NAME = Pattern.compile("\\bpenstock_[a-z_]+");

    @TempDir
    private Path folder;

    /** With all parts whose metrics are there only when they are used. */
    @Override
    BrokerConfig.Builder brokerConfig() {
        final TestCertificate certificate = new TestAuthority("authority").issue("broker", "localhost");
        return super.brokerConfig()
                .journal(JournalConfig.in(folder.resolve("journal").toString()))
                .audit(AuditConfig.in(folder.resolve("audit").toString()))
                .tls(TlsConfig.defaults()
                        .certificate(
                                certificate.writeCertificate(folder.resolve("broker.pem")),
                                certificate.writeKey(folder.resolve("broker.key"))));
    }

    @Test
    void shouldNameOnlyMetricsThatAreExported() throws Exception {
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
        final Set<String> exported = new TreeSet<>();
        OpenMetricsCheck.parse(get("/metrics").body())
                .samples()
                .keySet()
                .forEach(sample -> exported.add(sample.replaceAll("\\{.*", "")));
        final Set<String> named = new TreeSet<>();

        final JsonValue dashboard = JsonValue.parse(Files.readString(FOLDER.resolve("grafana-dashboard.json")));
        assertThat(dashboard.at("panels").list()).hasSizeGreaterThan(8);
        for (final JsonValue panel : dashboard.at("panels").list()) {
            assertThat(panel.at("targets").list()).isNotEmpty();
            for (final JsonValue target : panel.at("targets").list()) {
                add(target.text("expr"), named);
            }
        }
        final int before = named.size();
        int rules = 0;
        for (final String line : Files.readAllLines(FOLDER.resolve("prometheus-alerts.yaml"))) {
            if (line.strip().startsWith("expr: ")) {
                rules++;
                add(line, named);
            }
        }

        assertThat(before).isGreaterThan(15);
        assertThat(rules).isGreaterThan(8);
        assertThat(exported).containsAll(named);
    }

    private static void add(final String expression, final Set<String> named) throws IOException {
        assertThat(NAME.matcher(expression).find()).as(expression).isTrue();
        NAME.matcher(expression).results().forEach(name -> named.add(name.group()));
    }
}
