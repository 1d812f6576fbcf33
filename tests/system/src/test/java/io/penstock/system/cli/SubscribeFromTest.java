package io.penstock.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.client.AckType;
import io.penstock.client.LogPlace;
import io.penstock.client.Message;
import io.penstock.client.MessageStream;
import io.penstock.client.PenstockClient;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.client.Subscription;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reading the log of a broker again, from the command line and with the client. */
@Timeout(120)
class SubscribeFromTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    private static Path folder;

    private static Broker broker;
    private static String endpoint;

    @BeforeAll
    static void launch() {
        broker = brokerWithOrders("journal");
        endpoint = endpoint(broker);
    }

    @AfterAll
    static void close() {
        broker.close();
    }

    @Test
    void shouldPrintRangesOfTheLogAndEnd() throws Exception {
        final Penstock.Result all = subscribe("--from", "beginning", "--exit-when-completed", "--long");
        assertThat(all.exitCode()).isZero();
        final List<String[]> columns =
                all.out().lines().map(line -> line.split("\t", -1)).toList();
        assertThat(columns).extracting(line -> line[3]).containsExactlyElementsOf(orders(1, 5));
        final String secondBookmark = columns.get(1)[2];
        final String thirdTime = columns.get(2)[0];
        final String fifthBookmark = columns.get(4)[2];

        final Penstock.Result between = subscribe("--from", secondBookmark, "--to", fifthBookmark, "--rate", "1000/s");
        assertThat(between.exitCode()).isZero();
        assertThat(between.out().lines()).containsExactlyElementsOf(orders(3, 4));

        final Penstock.Result fromTime = subscribe(
                "--from", thirdTime, "--to", "now", "--rate", "1000x", "--rate-max-gap", "1ms", "-f", "n <> 4");
        assertThat(fromTime.exitCode()).isZero();
        assertThat(fromTime.out()).isEqualTo("{\"n\":3}\n{\"n\":5}");

        assertThat(subscribe("--from", fifthBookmark, "--to", "now").out()).isEmpty();

        assertThat(subscribe("--from", secondBookmark, "--from-included", "--to", fifthBookmark, "--to-included")
                        .out()
                        .lines())
                .containsExactlyElementsOf(orders(2, 5));
        assertThat(subscribe("--from", secondBookmark, "--from-included", "--to", "now", "-n", "1")
                        .out())
                .isEqualTo("{\"n\":2}");
        final Penstock.Result reversed = subscribe("--from", fifthBookmark, "--to", secondBookmark);
        assertThat(reversed.exitCode()).isEqualTo(2);
        assertThat(reversed.out()).isEmpty();
        assertThat(reversed.err()).contains("its end is before its start in shard 0");
    }

    @Test
    void shouldSayWhatIsWrongWhenThePlaceOrThePaceIsNone() throws Exception {
        final Penstock.Result missing = subscribe("--from", "0:99999");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err()).contains("penstock subscribe: ", "99999");
        assertThat(subscribe("--from", "0:99999", "--missing", "beginning", "--to", "now")
                        .out()
                        .lines())
                .containsExactlyElementsOf(orders(1, 5));

        final Penstock.Result noPlace = subscribe("--from", "some day");
        assertThat(noPlace.exitCode()).isEqualTo(2);
        assertThat(noPlace.err())
                .isEqualTo("penstock subscribe: --from: neither a bookmark nor a time: some day (use beginning, now,"
                        + " 0:1234, 2026-05-01T09:30:00Z, -5m or 'yesterday 14:00')");
        assertThat(subscribe("--from", "now", "--rate", "0/s").err()).contains("--rate: not a rate: 0/s");
        assertThat(subscribe("--from", "now", "--rate", "5/s", "--rate-max-gap", "1s")
                        .exitCode())
                .isEqualTo(2);
        assertThat(subscribe("--to", "now").err()).contains("(add --from)");
        assertThat(subscribe("--to-included").err()).contains("(add --from)");
        assertThat(subscribe("--from", "now", "--from-included"))
                .isEqualTo(new Penstock.Result(
                        2,
                        "",
                        "penstock subscribe: --from-included: is about the message of a bookmark (give one with"
                                + " --from, as in 0:1234)"));
        assertThat(subscribe("--from", "0:1", "--to", "now", "--to-included").exitCode())
                .isEqualTo(2);
        assertThat(subscribe("--from", "now", "--sow").err())
                .contains("--from: is for messages as they were published");
        assertThat(subscribe("--from", "now", "--missing", "maybe").err()).contains("--missing: not known: maybe");
    }

    @Test
    void shouldGoOnInTheNextRunWhenItNotesWhatItPrinted() throws Exception {
        final String store = folder.resolve("printed").toString();
        final String fourth = subscribe("--from", "beginning", "--to", "now", "--long")
                .out()
                .lines()
                .toList()
                .get(3)
                .split("\t", -1)[2];
        assertThat(subscribe("--from", "beginning", "--to", fourth, "--bookmark-store", store)
                        .out()
                        .lines())
                .containsExactlyElementsOf(orders(1, 3));
        assertThat(subscribe("--from", "beginning", "--to", "now", "--bookmark-store", store)
                        .out()
                        .lines())
                .containsExactlyElementsOf(orders(4, 5));
    }

    @Test
    void shouldFailWhenTheBrokerEndsBeforeTheRange() throws Exception {
        final Broker ending = brokerWithOrders("ending");
        try (Penstock reader = Penstock.start(
                "subscribe", "orders", "-b", endpoint(ending), "--from", "beginning", "--to", "now", "--rate", "1/s")) {
            reader.awaitLine("{\"n\":1}");
            ending.close();
            final Penstock.Result result = reader.await();
            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.out()).doesNotContain("{\"n\":5}");
        } finally {
            ending.close();
        }
    }

    @Test
    void shouldNotifyAClientThatARangeOrTheStoredPartIsCompleted() {
        try (PenstockClient client = PenstockClient.connect(endpoint)) {
            final List<String> texts = new ArrayList<>();
            final Subscription range = client.subscribe(
                    ReplayRequest.topic("orders").to(LogPlace.NOW), message -> texts.add(message.text()));
            range.completed().orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join();
            assertThat(texts).containsExactlyElementsOf(orders(1, 5));
            client.flush();
            assertThat(range.isActive()).isFalse();
            try (MessageStream stream =
                    client.stream(ReplayRequest.topic("orders").to(LogPlace.NOW))) {
                assertThat(stream).extracting(Message::text).containsExactlyElementsOf(orders(1, 5));
            }
        }
    }

    @Test
    void shouldPauseAndGoOnWhereItWas() throws InterruptedException {
        try (PenstockClient client = PenstockClient.connect(endpoint)) {
            final LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();
            final Subscription paused = client.subscribe(
                    ReplayRequest.topic("paused").from(LogPlace.NOW).live(), message -> texts.add(message.text()));
            paused.pause();
            client.publish("paused", "{\"n\":1}", AckType.PERSISTED).join();
            client.flush();
            assertThat(texts).isEmpty();
            paused.rate(ReplayRate.messages(1000));
            paused.resume();
            assertThat(texts.poll(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo("{\"n\":1}");
        }
    }

    private static Broker brokerWithOrders(final String directory) {
        final Broker launched = Broker.launch(BrokerConfig.builder()
                .listen("tcp://127.0.0.1:0")
                .journal(JournalConfig.in(folder.resolve(directory).toString()))
                .build());
        try (PenstockClient client = PenstockClient.connect(endpoint(launched))) {
            orders(1, 5)
                    .forEach(order ->
                            client.publish("orders", order, AckType.PERSISTED).join());
        }
        return launched;
    }

    private static String endpoint(final Broker launched) {
        return launched.endpoints().get(0).toString();
    }

    private static List<String> orders(final int first, final int last) {
        final List<String> orders = new ArrayList<>();
        for (int n = first; n <= last; n++) {
            orders.add("{\"n\":" + n + "}");
        }
        return orders;
    }

    private static Penstock.Result subscribe(final String... options) throws Exception {
        final List<String> arguments = new ArrayList<>(List.of("subscribe", "orders", "-b", endpoint));
        arguments.addAll(List.of(options));
        return Penstock.run(arguments.toArray(new String[0]));
    }
}
