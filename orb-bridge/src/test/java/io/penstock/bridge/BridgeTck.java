package io.penstock.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.service.BridgeCounter;
import io.penstock.client.Topic;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PageWithHeaders;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.QueryPage;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the contract promises, whichever way it is reached. */
public abstract class BridgeTck extends BatchTck {
    @Test
    void shouldGiveMatchingMessagesInOrderWhenTaken() throws Exception {
        final String topic = topic();
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic).filter("n > 1"));

        for (int n = 0; n < 5; n++) {
            publish(topic, "{\"n\":" + n + "}");
        }

        assertThat(take(subscription, 3)).containsExactly("{\"n\":2}", "{\"n\":3}", "{\"n\":4}");
        assertThat(broker.next(subscription, 10, 0)).isEmpty();
        broker.unsubscribe(subscription);
    }

    @Test
    void shouldCallForMessagesInOrderWhenThereIsACallback() throws Exception {
        final String topic = topic();
        final RecordingListener listener = new RecordingListener();
        final MessageListener exported = exported(listener);
        final long subscription = broker.subscribeWithCallback(SubscribeRequest.topic(topic), Callback.of(exported));

        for (int n = 0; n < 20; n++) {
            publish(topic, "{\"n\":" + n + "}");
        }

        for (int n = 0; n < 20; n++) {
            assertThat(listener.awaitText()).isEqualTo("{\"n\":" + n + "}");
        }
        assertRefused(ErrorCode.NOT_SUPPORTED, () -> broker.next(subscription, 1, 0));
        broker.unsubscribe(subscription);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 1024, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 1024 * 1024, 4 * 1024 * 1024, 16 * 1024 * 1024
            })
    void shouldKeepEveryByteWhenPublishedAndTaken(final int length) throws Exception {
        final byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        final long subscription = broker.subscribe(SubscribeRequest.topic("bytes"));

        broker.publish(Publication.of("bytes", data), false);

        final Delivery[] taken = broker.next(subscription, 10, WAIT_MS);
        assertThat(taken).hasSize(1);
        assertThat(taken[0].data()).isEqualTo(data);
        assertThat(taken[0].kind()).isEqualTo(Delivery.MESSAGE);
        assertThat(taken[0].topic()).isEqualTo("bytes");
        assertThat(broker.echo(data)).isEqualTo(data);
        broker.unsubscribe(subscription);
    }

    @Test
    void shouldCarryHeadersWhenAskedForThem() throws Exception {
        final String topic = topic();
        final Header[] headers = {
            Header.of("region", "Zürich"), Header.of("hops", -7L), Header.of("raw", new byte[] {0, -1, 5})
        };
        final SubscribeRequest request = SubscribeRequest.topic(topic).filter("HEADER('region') LIKE 'Z%'");
        final HeadersListener listener = new HeadersListener();
        final long called = broker.subscribeWithHeaders(request, Callback.of(exported(listener)));
        final long taking = broker.subscribe(request);
        final long plain = broker.subscribe(SubscribeRequest.topic(topic));

        publish(topic, "{\"n\":1}");
        broker.publishWithHeaders(publication(topic, "{\"n\":2}"), headers, false);

        assertSame(headers, listener.awaitHeaders());
        final DeliveryWithHeaders[] taken = broker.nextWithHeaders(taking, 10, WAIT_MS);
        assertThat(taken).hasSize(1);
        assertThat(new String(taken[0].message().data(), StandardCharsets.UTF_8))
                .isEqualTo("{\"n\":2}");
        assertSame(headers, List.of(taken[0].headers()));
        assertThat(take(plain, 2)).containsExactly("{\"n\":1}", "{\"n\":2}");
        for (final long each : new long[] {called, taking, plain}) {
            broker.unsubscribe(each);
        }
    }

    @Test
    void shouldGiveRecordsWithHeadersWhenAskedForThem() throws Exception {
        final String topic = topic();
        harness.client().declareTopic(Topic.json(topic).key("id"));
        final Header[] headers = {Header.of("hops", 3L)};
        broker.publishWithHeaders(publication(topic, "{\"id\":1}"), headers, false);
        publish(topic, "{\"id\":2}");
        final long query = broker.query(QueryRequest.topic(topic).orderBy("id"));

        final List<DeliveryWithHeaders> records = new ArrayList<>();
        PageWithHeaders page;
        do {
            page = broker.fetchWithHeaders(query, 10, WAIT_MS);
            records.addAll(List.of(page.records()));
        } while (!page.isComplete());

        assertThat(records).hasSize(2);
        assertSame(headers, List.of(records.get(0).headers()));
        assertThat(records.get(1).headers()).isEmpty();
    }

    @Test
    void shouldRefuseHeadersThatMessagesCannotHave() {
        final Publication message = publication(topic(), "{}");
        for (final Header[] each : badHeaders()) {
            assertRefused(ErrorCode.BAD_HEADER, () -> broker.publishWithHeaders(message, each, false));
        }
    }

    @Test
    void shouldGiveAllRecordsInPagesWhenAQuery() throws Exception {
        final String topic = topic();
        harness.client().declareTopic(Topic.json(topic).key("id"));
        for (int id = 0; id < 25; id++) {
            publish(topic, "{\"id\":" + id + ",\"even\":" + (id % 2 == 0) + "}");
        }

        final long query = broker.query(QueryRequest.topic(topic)
                .filter("even = TRUE")
                .orderBy("id DESC")
                .limit(10, 1));
        final List<String> records = new ArrayList<>();
        QueryPage page;
        do {
            page = broker.fetch(query, 4, WAIT_MS);
            assertThat(page.records()).hasSizeLessThanOrEqualTo(4);
            for (final Delivery each : page.records()) {
                assertThat(each.kind()).isEqualTo(Delivery.STATE);
                records.add(text(each));
            }
        } while (!page.isComplete());

        assertThat(records).hasSize(10).first().isEqualTo("{\"id\":22,\"even\":true}");
        assertThat(records).last().isEqualTo("{\"id\":4,\"even\":true}");
        assertRefused(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> broker.fetch(query, 4, 0));
    }

    @Test
    void shouldReportTheBrokersReasonWhenItRefuses() {
        final String topic = topic();
        assertRefused(
                ErrorCode.BAD_FILTER,
                () -> broker.subscribe(SubscribeRequest.topic(topic).filter("a >")));
        assertRefused(ErrorCode.NOT_SUPPORTED, () -> broker.publish(publication(topic, "{}"), true));
        assertRefused(ErrorCode.BAD_TOPIC, () -> broker.subscribe(SubscribeRequest.topic("")));
        assertRefused(ErrorCode.BAD_MESSAGE, () -> publish(topic, "{"));
        assertRefused(ErrorCode.NO_STATE, () -> broker.fetch(broker.query(QueryRequest.topic(topic)), 1, WAIT_MS));
        assertRefused(
                ErrorCode.BAD_TEXT,
                () -> broker.subscribe(SubscribeRequest.topic(topic).from("noT")));
    }

    @Test
    void shouldGoOnAfterTheBookmarkWhenSubscribedFromThere() throws Exception {
        final String topic = topic();
        for (int n = 0; n < 4; n++) {
            publish(topic, "{\"n\":" + n + "}");
        }
        final long all = broker.subscribe(SubscribeRequest.topic(topic).from("beginning"));
        final List<Delivery> taken = takeDeliveries(all, 4);

        final long rest =
                broker.subscribe(SubscribeRequest.topic(topic).from(taken.get(1).bookmark()));

        assertThat(take(rest, 2)).containsExactly("{\"n\":2}", "{\"n\":3}");
        broker.unsubscribe(all);
        broker.unsubscribe(rest);
    }

    @Test
    void shouldGoOnAfterWhatWasAcknowledgedWhenNamed() throws Exception {
        final String topic = topic();
        for (int n = 0; n < 4; n++) {
            publish(topic, "{\"n\":" + n + "}");
        }
        final SubscribeRequest request =
                SubscribeRequest.topic(topic).from("beginning").name(topic);
        final long first = broker.subscribe(request);
        assertRefused(ErrorCode.DUPLICATE_SUBSCRIPTION, () -> broker.subscribe(request));
        broker.acknowledge(first, takeDeliveries(first, 4).get(1).bookmark());
        broker.unsubscribe(first);

        final long second = broker.subscribe(request);

        assertThat(take(second, 2)).containsExactly("{\"n\":2}", "{\"n\":3}");
        broker.unsubscribe(second);
    }

    @Test
    void shouldBeginAnewWhenANameWasForgotten() throws Exception {
        final String topic = topic();
        for (int n = 0; n < 2; n++) {
            publish(topic, "{\"n\":" + n + "}");
        }
        final SubscribeRequest request =
                SubscribeRequest.topic(topic).from("beginning").name(topic);
        final long first = broker.subscribe(request);
        broker.acknowledge(first, takeDeliveries(first, 2).get(1).bookmark());
        assertRefused(ErrorCode.DUPLICATE_SUBSCRIPTION, () -> broker.forget(topic));
        broker.unsubscribe(first);

        broker.forget(topic);
        broker.forget("never seen");
        final long second = broker.subscribe(request);

        assertThat(take(second, 2)).containsExactly("{\"n\":0}", "{\"n\":1}");
        broker.unsubscribe(second);
    }

    @Test
    void shouldGiveStateAndChangesWhenAskedFor() throws Exception {
        final String topic = topic();
        harness.client().declareTopic(Topic.json(topic).key("id"));
        publish(topic, "{\"id\":1,\"x\":5}");
        final long subscription = broker.subscribe(
                SubscribeRequest.topic(topic).filter("x > 1").sow().oof());

        assertThat(takeDeliveries(subscription, 1).get(0).kind()).isEqualTo(Delivery.STATE);
        publish(topic, "{\"id\":1,\"x\":0}");
        assertThat(takeDeliveries(subscription, 1).get(0).kind()).isEqualTo(Delivery.OOF_MATCH);
        broker.unsubscribe(subscription);
    }

    @Test
    void shouldLoseNothingWhenMuchWaitsForASlowClient() throws Exception {
        final String topic = topic();
        final int count = 2 * harness.config().queueCountMax();
        final int batchCount = 256;
        final long behindBefore = harness.counter(BridgeCounter.FELL_BEHIND);
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic));

        for (int n = 0; n < count; n += batchCount) {
            final Publication[] batch = new Publication[batchCount];
            for (int i = 0; i < batchCount; i++) {
                batch[i] = publication(topic, "{\"n\":" + (n + i) + "}");
            }
            broker.publishBatch(batch, false);
        }

        final List<String> taken = take(subscription, count);
        for (int n = 0; n < count; n++) {
            assertThat(taken.get(n)).isEqualTo("{\"n\":" + n + "}");
        }
        assertThat(harness.counter(BridgeCounter.FELL_BEHIND)).isEqualTo(behindBefore);
        broker.unsubscribe(subscription);
    }

    @Test
    void shouldEndASubscriptionWhenNothingIsHeardForItsLease() throws Exception {
        final String topic = topic();
        final long expiredBefore = harness.counter(BridgeCounter.LEASES_EXPIRED);
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic).leaseMs(60));
        final long held = broker.subscribe(SubscribeRequest.topic(topic).leaseMs(60_000));

        assertThat(Harness.await(() -> harness.counter(BridgeCounter.LEASES_EXPIRED) > expiredBefore))
                .isTrue();

        assertRefused(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> broker.next(subscription, 1, 0));
        assertThat(broker.next(held, 1, 0)).isEmpty();
        assertRefused(
                ErrorCode.LIMIT_REACHED,
                () -> broker.subscribe(SubscribeRequest.topic(topic).leaseMs(1)));
        broker.unsubscribe(held);
    }

    @Test
    void shouldAskAClientThatIsCalledWhenItsLeaseIsHalfOver() throws Exception {
        final RecordingListener listener = new RecordingListener();
        final MessageListener exported = exported(listener);
        final long subscription =
                broker.subscribeWithCallback(SubscribeRequest.topic(topic()).leaseMs(60), Callback.of(exported));

        assertThat(Harness.await(() -> listener.emptyCount() > 2)).isTrue();
        broker.unsubscribe(subscription);
    }

    @Test
    void shouldKeepSubscriptionsApartWhenSessionsDiffer() throws Exception {
        final PenstockBroker own = broker.logon(new Credentials("tck-own", "", ""));
        final long subscription = own.subscribe(SubscribeRequest.topic(topic()));

        assertRefused(ErrorCode.UNKNOWN_SUBSCRIPTION, () -> broker.next(subscription, 1, 0));
        assertRefused(ErrorCode.NOT_SUPPORTED, broker::logoff);
        own.logoff();
        assertThatThrownBy(() -> own.next(subscription, 1, 0)).isInstanceOf(Exception.class);
    }
}
