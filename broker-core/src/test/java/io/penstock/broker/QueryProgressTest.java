package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.SowProgress;
import io.penstock.client.SowRequest;
import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Progress that clients get of a running query, and the topics of its answer. */
class QueryProgressTest {
    private static final int RECORD_COUNT = 20_000;
    private static final int CYCLE_MS = 30;

    private final TestBroker broker = new TestBroker(builder ->
            builder.topic(TopicConfig.keyed("quotes", "json", "s")).topic(TopicConfig.keyed("quiet", "json", "s")));
    private final List<SowProgress> reported = new ArrayList<>();
    private final List<Long> reportedNs = new ArrayList<>();
    private final StateClient client = new StateClient(broker) {
        @Override
        public void onProgress(final long commandId, final long queryId, final SowProgress progress) {
            assertThat(queryId).isEqualTo(7);
            assertThat(groups).anySatisfy(group -> assertThat(group).startsWith("begin 7 "));
            reported.add(progress);
            reportedNs.add(broker.clock.nanoTime());
        }
    };

    @BeforeEach
    void publish() {
        for (int i = 0; i < RECORD_COUNT; i++) {
            client.publish("quotes", "{\"s\":" + i + ",\"p\":" + i % 10 + "}");
        }
        client.flush();
    }

    @AfterEach
    void close() {
        broker.close();
    }

    @Test
    void shouldReportItsProgress() {
        run(SowRequest.topic("quotes").filter("p = 1").select("COUNT(*)").progress(Duration.ofMillis(200)));
        assertThat(reported).isNotEmpty().allSatisfy(each -> {
            assertThat(each.rows()).isEqualTo(RECORD_COUNT);
            assertThat(each.scanned()).isBetween(1L, (long) RECORD_COUNT);
            assertThat(each.matches()).isBetween(each.scanned() / 10, each.scanned() / 10 + 1);
        });
        assertThat(reported).extracting(SowProgress::scanned).isSorted();
        assertIntervals(200);
    }

    @Test
    void shouldNeverReportItMoreOftenThanTheLeastInterval() {
        run(SowRequest.topic("quotes").filter("p < 0").progress(Duration.ofMillis(1)));
        assertThat(reported).isNotEmpty();
        assertIntervals(100);
    }

    @Test
    void shouldReportNothingWhenItWasNotAsked() {
        run(SowRequest.topic("quotes").filter("p < 0"));
        assertThat(reported).isEmpty();
    }

    @Test
    void shouldRefuseANegativeInterval() {
        run(SowRequest.topic("quotes").progress(Duration.ofMillis(-1)));
        assertThat(client.errors).hasSize(1);
        assertThat(client.errors.get(0).errorCode()).isEqualTo(ErrorCode.BAD_QUERY);
        assertThat(client.errors.get(0).text()).contains("progress: below 0: -1 ms");
    }

    @Test
    void shouldSayOfWhichTopicEachGroupIs() {
        run(SowRequest.pattern("qu.*").filter("p < 0"));
        assertThat(client.groups)
                .anySatisfy(group -> assertThat(group).startsWith("begin 7 quotes 0:"))
                .anySatisfy(group -> assertThat(group).startsWith("begin 7 quiet 0:"))
                .hasSize(3);
    }

    private void run(final SowRequest request) {
        final long commandId = client.offer(() -> client.session.offerSow(7, request));
        for (int i = 0; i < 1000 && !client.acks.containsKey(commandId); i++) {
            broker.clock.advance(TimeUnit.MILLISECONDS.toNanos(CYCLE_MS));
            broker.cycle();
        }
    }

    private void assertIntervals(final long leastMs) {
        for (int i = 1; i < reportedNs.size(); i++) {
            // What is sent in one cycle may be received in the next.
            assertThat(reportedNs.get(i) - reportedNs.get(i - 1))
                    .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(leastMs - CYCLE_MS));
        }
    }
}
