package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SubscribeRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs of records of which some are not shown, because they have no form from which fields could be cut. */
@Timeout(60)
class CutRunsTest {
    private static final int COUNT = 4_000;
    private static final String PADDING = "y".repeat(1_000);

    @TempDir
    Path directory;

    @Test
    void shouldSendNothingTwiceWhenTheFilterChangesAfterRunsWithRecordsThatAreNotShown() {
        try (TestBroker test = GuardedBroker.start(
                reading(""),
                builder -> builder.journal(JournalConfig.in(directory.toString())
                                .withFileLength(4 << 20)
                                .withSnapshots(0, 0))
                        .topic(TopicConfig.topic("o", "partial")))) {
            final StateClient root = new StateClient(test, "root");
            final StateClient trader = new StateClient(test, "trader-E");
            final List<String> expected = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                root.publish("o", i % 3 == 1 ? "[1]" : "{\"id\":" + i + ",\"salary\":1,\"v\":\"" + PADDING + "\"}");
                if (i % 3 != 1) {
                    expected.add("{\"id\":" + i + "}");
                }
                if (i % 50 == 0) {
                    root.flush();
                }
            }
            root.flush();
            final ReplayRequest request = ReplayRequest.topic("o").from(LogPlace.BEGINNING);
            trader.paused = true;
            trader.offer(() -> trader.session.offerSubscribeFrom(8, request));
            for (int i = 0; i < 100; i++) {
                test.cycle();
            }
            final long sent = test.broker.counter("messagesDelivered");
            assertThat(sent).isBetween(10L, expected.size() - 10L);
            test.broker.permissions(reading("id >= 0"));
            for (int i = 0; i < 100; i++) {
                test.cycle();
            }
            trader.paused = false;
            test.settle();

            assertThat(trader.errors).isEmpty();
            assertThat(trader.deliveries.stream().map(each -> each.text().replaceAll(",.*", "}")))
                    .containsExactlyElementsOf(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({"1000, true", "400000, true", "400000, false"})
    void shouldCutNothingAgainForAClientThatTakesNothing(final int length, final boolean isToldBlocked) {
        TappedTransport.reset();
        TappedTransport.tellsBlocked(isToldBlocked);
        final SessionConfig sessions =
                new SessionConfig(64, 64, 1 << 20, 64, 64, 16 * 1024, 64, 1 << 24, 10_000, 1_000);
        try (TestBroker test = new TestBroker(
                "tap",
                builder -> builder.sessions(sessions)
                        .security(new SecurityConfig(GuardedBroker.BY_NAME, reading(""), false))
                        .inboxLength(4 << 20)
                        .window(new WindowConfig(8 << 20, 4))
                        .topic(TopicConfig.topic("o", "partial")))) {
            final StateClient root = new StateClient(test, "root");
            final StateClient trader = new StateClient(test, "trader-E");
            trader.subscribe(1, SubscribeRequest.topic("o"));
            trader.subscribe(2, SubscribeRequest.topic("o"));
            trader.paused = true;
            final String text = "{\"salary\":1,\"v\":\"" + "y".repeat(length) + "\"}";
            final int count = 3_000_000 / length;
            for (int i = 0; i < count; i++) {
                root.publish("o", text);
            }
            root.flush();
            test.settle();
            final long refused = test.broker.counter("deliveriesRefused");
            final int cuts = PartialFormat.cutCount();
            for (int i = 0; i < 200; i++) {
                test.cycle();
            }

            assertThat(test.broker.counter("deliveriesRefused")).isGreaterThan(refused + 100);
            assertThat(PartialFormat.cutCount()).isEqualTo(cuts);
            trader.paused = false;
            test.settle();
            assertThat(trader.deliveries)
                    .extracting(StateClient.Delivery::text)
                    .hasSize(2 * count)
                    .containsOnly(text.replace("\"salary\":1,", ""));
        }
    }

    private static Permissions reading(final String filter) {
        return traders(allow("read", "o", filter).hiding(List.of("salary")));
    }
}
