package io.penstock.broker;

import static io.penstock.broker.GuardedBroker.allow;
import static io.penstock.broker.GuardedBroker.traders;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Permissions;
import io.penstock.client.SubscribeRequest;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client has begun goes on without what is hidden from it now, or ends. */
@Timeout(60)
class HiddenFieldsChangeTest extends HiddenFieldsScene {
    /** What is half sent goes on as it began, and nothing after it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendTheRestOfAHalfSentRecordWhenOtherFieldsAreHidden(final boolean isHiddenFirst) {
        final Permissions hidden = traders(hiding(allow("read", "o*", ""), "salary"));
        final Permissions shown = traders(allow("read", "o*", ""));
        final SessionConfig sessions =
                new SessionConfig(64, 64, 2 << 20, 64, 64, 16 * 1024, 64, 1 << 26, 10_000, 1_000);
        start(
                isHiddenFirst ? hidden : shown,
                builder -> builder.sessions(sessions).inboxLength(16 << 20).window(new WindowConfig(16 << 20, 4)));
        trader.subscribe(1, SubscribeRequest.topic("o"));
        test.settle();
        trader.paused = true;
        final String half = "y".repeat(1_000_000);
        final String first = "{\"id\":1,\"v\":\"" + half + "\",\"salary\":\"" + SECRET + "\"}";
        for (int i = 0; i < 8; i++) {
            root.publish("o", first.replace("\"id\":1", "\"id\":" + i));
        }
        for (int i = 0; i < 400; i++) {
            test.cycle();
        }
        test.broker.permissions(isHiddenFirst ? shown : hidden);
        for (int i = 0; i < 100; i++) {
            test.cycle();
        }
        final int sentLength = TappedTransport.sent(1).length();
        trader.paused = false;
        test.settle();
        root.flush();

        assertThat(TappedTransport.sent(1).length()).as("half sent").isGreaterThan(sentLength + 10_000);
        assertThat(trader.errors).isEmpty();
        assertThat(trader.deliveries).hasSize(8);
        // One goes on as it began, and all that follow it are as they may be seen now.
        final String salary = ",\"salary\":\"" + SECRET + "\"";
        boolean isBefore = true;
        for (int i = 0; i < trader.deliveries.size(); i++) {
            final String text = trader.deliveries.get(i).text();
            final String begin = "{\"id\":" + i + ",\"v\":\"" + half + "\"";
            isBefore &= text.equals(begin + (isHiddenFirst ? "" : salary) + "}");
            assertThat(text).isEqualTo(begin + (isBefore == isHiddenFirst ? "" : salary) + "}");
        }
        assertThat(isBefore).as("the last one").isFalse();
        TappedTransport.forget();
        root.publish("o", first);
        root.flush();
        test.settle();
        assertThat(TappedTransport.sent(1).contains(SECRET)).isEqualTo(isHiddenFirst);
    }

    @Test
    void shouldGoOnWithoutWhatIsHiddenNow() {
        start(traders(allow("read", "o*", "")));
        publish(1, 1);
        root.flush();
        trader.subscribe(1, SubscribeRequest.topic("o"));
        trader.subscribe(2, SubscribeRequest.pattern("o.*"));
        trader.subscribe(3, SubscribeRequest.topic("o2"));
        test.settle();
        TappedTransport.forget();
        test.broker.permissions(traders(hiding(allow("read", "o", ""), "salary", "/p/ssn"), allow("read", "o2", "")));
        publish(1, 2);
        root.publish("o2", "{\"id\":1}");
        root.flush();
        test.settle();

        assertThat(trader.errors).isEmpty();
        final String shown = SHOWN.replace("\"v\":1", "\"v\":2");
        assertThat(trader.take())
                .containsExactlyInAnyOrder(
                        "1 MESSAGE " + shown, "2 MESSAGE " + shown, "2 MESSAGE {\"id\":1}", "3 MESSAGE {\"id\":1}");
        assertThat(TappedTransport.sent(1)).doesNotContain(SECRET);
    }

    /** Pages of a query have what was shown when it found them. */
    @Test
    void shouldSendTheStateAgainThatIsOnItsWayWhenOtherFieldsAreHidden() {
        start(traders(allow("read", "o", "")));
        final String text = ",\"text\":\"" + "x".repeat(4_000) + "\"}";
        for (int id = 1; id <= 3_000; id++) {
            root.publish("o", "{\"id\":" + id + ",\"salary\":\"" + SECRET + "\"" + text);
            if (id % 10 == 0) {
                root.flush();
            }
        }
        trader.paused = true;
        trader.subscribe(1, SubscribeRequest.topic("o").sow());
        for (int i = 0; i < 200; i++) {
            test.cycle();
        }
        test.broker.permissions(traders(hiding(allow("read", "o", ""), "salary")));
        for (int i = 0; i < 20; i++) {
            test.cycle();
        }
        TappedTransport.forget();
        trader.paused = false;
        test.settle();
        root.flush();
        test.settle();

        assertThat(trader.errors).isEmpty();
        // What a connection had taken before is with the client already.
        assertThat(TappedTransport.sent(1)).doesNotContain(SECRET);
        final Set<String> texts =
                trader.deliveries.stream().map(StateClient.Delivery::text).collect(Collectors.toSet());
        for (int id = 1; id <= 3_000; id++) {
            assertThat(texts.contains("{\"id\":" + id + text))
                    .as("record %d", id)
                    .isTrue();
        }
    }

    @Test
    void shouldEndWhatDependsOnWhatIsHiddenNow() {
        start(traders(allow("read", "*", "")));
        publish(1, 1);
        root.publish("o2", "{\"id\":1,\"salary\":1}");
        root.flush();
        trader.subscribe(1, SubscribeRequest.topic("o").filter("salary IS NOT NULL"));
        trader.subscribe(2, SubscribeRequest.topic("o").sow().orderBy("salary").oof());
        trader.subscribe(3, SubscribeRequest.topic("o2").sow());
        trader.subscribe(4, SubscribeRequest.topic("o"));
        test.settle();
        test.broker.permissions(
                traders(hiding(allow("read", "o", ""), "salary", "/p/ssn"), hiding(allow("read", "o2", ""), "id")));
        test.settle();

        assertThat(trader.errors)
                .extracting(error -> error.subscriptionId() + " " + error.errorCode())
                .containsExactlyInAnyOrder("1 NOT_AUTHORIZED", "2 NOT_AUTHORIZED", "3 NOT_AUTHORIZED");
    }
}
