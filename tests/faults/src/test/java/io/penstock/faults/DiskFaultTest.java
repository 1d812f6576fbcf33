package io.penstock.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that fails says why. */
@Timeout(60)
class DiskFaultTest {
    @TempDir
    private Path folder;

    private final Acknowledged acknowledged = new Acknowledged(2);

    @Test
    void shouldSayWhyEachPublisherHasEndedWhenNoneRuns() throws IOException, InterruptedException {
        final int nobody;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = socket.getLocalPort();
        }
        final long startNs = System.nanoTime();
        try (Load load = Load.start("tcp://127.0.0.1:" + nobody, acknowledged, 16)) {
            assertThat(DiskFault.awaitRefusal(load, ErrorCode.JOURNAL_FULL))
                    .startsWith("no publisher runs any more, and none was refused; 0 messages were acknowledged; ")
                    .contains(
                            LoadMessage.publisherName(0) + ": io.penstock.client.",
                            "; " + LoadMessage.publisherName(1) + ": io.penstock.client.");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void shouldKnowThatPublishersWereStopped() {
        try (Broker broker = Broker.launch(Guest.config(folder.resolve("log"), "always"))) {
            final Load load = Load.start(broker.endpoints().get(0).toString(), acknowledged, 16);
            load.close();

            assertThat(load.runningCount()).isZero();
            assertThat(load.ends())
                    .isEqualTo(
                            LoadMessage.publisherName(0) + ": stopped; " + LoadMessage.publisherName(1) + ": stopped");
        }
    }

    @Test
    void shouldSayHowFarTheLoadIsWhenItTakesTooLong() throws InterruptedException {
        try (Broker broker = Broker.launch(Guest.config(folder.resolve("log"), "always"));
                Load load = Load.start(broker.endpoints().get(0).toString(), acknowledged, 16)) {
            assertThat(DiskFault.awaitRefusal(load, ErrorCode.JOURNAL_FULL, Duration.ofSeconds(5)))
                    .matches("publishes were not refused within 5 s; 2 publishers run; [1-9]\\d* messages were"
                            + " acknowledged, [1-9]\\d* of them in the last 5 s");
        }
    }

    @Test
    void shouldSayWhichRefusalCameInPlaceOfAnother() throws InterruptedException {
        final BrokerConfig inMemory =
                BrokerConfig.builder().listen("tcp://127.0.0.1:0").build();
        try (Broker broker = Broker.launch(inMemory);
                Load load = Load.start(broker.endpoints().get(0).toString(), acknowledged, 16)) {
            assertThat(DiskFault.awaitRefusal(load, ErrorCode.JOURNAL_FULL))
                    .isEqualTo("refused with NOT_SUPPORTED in place of JOURNAL_FULL");
        }
    }
}
