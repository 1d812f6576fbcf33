package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.BrokerCounters;
import io.penstock.broker.event.EventLog;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.tls.TlsConfig;
import io.penstock.transport.tls.TlsContexts;
import io.penstock.transport.tls.TlsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A certificate that ends in 40 days, and a clock that goes on by hand. */
class CertificateWatchTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    Path folder;

    private final Instant start = Instant.now();
    private Instant now = start;
    private final BrokerCounters counters = new BrokerCounters(2);
    private final AtomicCounter daysLeft = counters.newCounter("broker", "certificateDaysLeft");
    private final List<String> written = new ArrayList<>();
    private final EventLog events = new EventLog(
            event -> written.add(event.kind().name() + " " + event.values().get("daysLeft")),
            this::nowNs,
            this::nowNs,
            counters.newCounter("broker", "eventsSuppressed"));

    private long nowNs() {
        return now.toEpochMilli() * 1_000_000;
    }

    private String certificate(final Duration validFor) {
        final TestCertificate certificate =
                AUTHORITY.issue("broker", start.minus(DAY), start.plus(validFor).plusSeconds(3600), "127.0.0.1");
        certificate.writeKey(folder.resolve("broker.key"));
        return certificate.writeCertificate(folder.resolve("broker.pem"));
    }

    private TlsContexts contexts(final Duration validFor) throws TlsException {
        return TlsContexts.forServer(
                TlsConfig.defaults()
                        .certificate(
                                certificate(validFor),
                                folder.resolve("broker.key").toString()),
                () -> now);
    }

    private CertificateWatch watch(final TlsContexts tls) {
        return new CertificateWatch(tls, this::nowNs, daysLeft, events);
    }

    private List<String> written() {
        events.doWork();
        final List<String> since = List.copyOf(written);
        written.clear();
        return since;
    }

    @Test
    void shouldSayOnceADayThatTheCertificateEndsAndStopWhenItIsRenewed() throws TlsException {
        final TlsContexts tls = contexts(Duration.ofDays(40));
        final CertificateWatch watch = watch(tls);
        watch.begin();
        assertThat(written()).containsExactly("CERTIFICATE 40");
        assertThat(daysLeft.get()).isEqualTo(40);

        for (int day = 1; day <= 41; day++) {
            now = start.plus(DAY.multipliedBy(day));
            watch.run();
            watch.run();
            final int left = 40 - day;
            assertThat(daysLeft.get()).isEqualTo(left);
            if (left >= CertificateWatch.FEW_DAYS) {
                assertThat(written()).as("day %d", day).isEmpty();
            } else if (left >= CertificateWatch.LAST_DAYS) {
                assertThat(written()).as("day %d", day).containsExactly("CERTIFICATE_ENDS_SOON " + left);
            } else {
                assertThat(written()).as("day %d", day).containsExactly("CERTIFICATE_ENDS " + left);
            }
        }

        now = start.plus(DAY.multipliedBy(42));
        certificate(Duration.ofDays(142));
        assertThat(tls.reload().isTaken()).isTrue();
        watch.run();
        assertThat(daysLeft.get()).isEqualTo(100);
        assertThat(written()).isEmpty();
    }

    @Test
    void shouldSayAtTheStartThatTheCertificateEnds() throws TlsException {
        watch(contexts(Duration.ofDays(3))).begin();
        assertThat(written()).containsExactly("CERTIFICATE 3", "CERTIFICATE_ENDS 3");
    }
}
