package io.penstock.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.MessageListener;
import io.penstock.orb.PageWithHeaders;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryPage;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the contract promises, whichever way it is reached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class BridgeTck {
    private static final int WAIT_MS = 20_000;
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private Harness harness;
    private PenstockBroker broker;

    /** With the front end. */
    protected abstract BridgeConfig config();

    /** The guests' session. */
    protected abstract PenstockBroker broker(Harness newHarness) throws Exception;

    /** A listener as a client hands it over. */
    protected abstract MessageListener exported(MessageListener listener) throws Exception;

    @BeforeAll
    void start() throws Exception {
        harness = Harness.of(config());
        broker = broker(harness);
    }

    @AfterAll
    void stop() {
        harness.close();
    }

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
        harness.client().declareTopic(topic, "json", "id", 0);
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

    private static Header[][] badHeaders() {
        return new Header[][] {
            {Header.of("a b", "text")},
            {Header.of("twice", 1), Header.of("twice", 2)},
            {Header.of("reply-to", 1)},
            {Header.of("long", new byte[17 * 1024])}
        };
    }

    private static void assertSame(final Header[] expected, final @Nullable List<Header> actual) {
        assertThat(actual).usingRecursiveComparison().isEqualTo(List.of(expected));
    }

    @Test
    void shouldPublishInOrderWhenABatch() throws Exception {
        final String topic = topic();
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic));

        broker.publishBatch(
                new Publication[] {publication(topic, "{\"n\":1}"), publication(topic, "{\"n\":2}")}, false);

        assertThat(take(subscription, 2)).containsExactly("{\"n\":1}", "{\"n\":2}");
        broker.unsubscribe(subscription);
    }

    @Test
    void shouldCarryTheHeadersOfEachWhenABatch() throws Exception {
        final String topic = topic();
        final long taking = broker.subscribe(SubscribeRequest.topic(topic));
        final long plain = broker.subscribe(SubscribeRequest.topic(topic));
        final Header[][] headers = {
            {Header.of("region", "Zürich"), Header.of("hops", 1)},
            {},
            {Header.of("hops", 3), Header.of("raw", new byte[] {0, -1}), Header.of("region", "")}
        };
        final PublicationWithHeaders[] batch = new PublicationWithHeaders[headers.length];
        for (int n = 0; n < batch.length; n++) {
            batch[n] = withHeaders(topic, n, headers[n]);
        }

        broker.publishBatchWithHeaders(batch, false);

        final List<DeliveryWithHeaders> taken = takeWithHeaders(taking, batch.length);
        for (int n = 0; n < batch.length; n++) {
            assertThat(text(taken.get(n).message())).isEqualTo("{\"n\":" + n + "}");
            assertSame(headers[n], List.of(taken.get(n).headers()));
        }
        assertThat(take(plain, 3)).containsExactly("{\"n\":0}", "{\"n\":1}", "{\"n\":2}");
        broker.unsubscribe(taking);
        broker.unsubscribe(plain);
    }

    @Test
    void shouldTakeABatchWhenItHasAsManyHeadersAsItMay() throws Exception {
        final String topic = topic();
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic));
        final PublicationWithHeaders[] batch =
                new PublicationWithHeaders[harness.config().batchCountMax()];
        for (int n = 0; n < batch.length; n++) {
            batch[n] = withHeaders(topic, n, headers(64));
        }

        broker.publishBatchWithHeaders(batch, false);

        assertThat(takeWithHeaders(subscription, batch.length)).allMatch(each -> each.headers().length == 64);
        broker.unsubscribe(subscription);
    }

    @Test
    void shouldSendNoneWhenOneOfABatchHasHeadersThatMessagesCannotHave() throws Exception {
        final String topic = topic();
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic));
        final PublicationWithHeaders good = withHeaders(topic, 0, headers(1));

        for (final Header[] each : badHeaders()) {
            final BrokerException reason = catchThrowableOfType(
                    BrokerException.class,
                    () -> broker.publishBatchWithHeaders(
                            new PublicationWithHeaders[] {good, withHeaders(topic, 1, each)}, false));
            assertThat(reason.code()).isEqualTo(ErrorCode.BAD_HEADER.code());
            assertThat(reason.text()).startsWith("publishBatchWithHeaders: message 1: header: ");
        }
        assertFails(good, withHeaders(topic, 1, headers(65)));

        assertNothingWasSent(subscription, topic);
    }

    @Test
    void shouldSendNoneWhenOneOfABatchIsNotWhole() throws Exception {
        final String topic = topic();
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic));
        final PublicationWithHeaders good = withHeaders(topic, 0, headers(1));

        assertFails(good, null);
        assertFails(good, new PublicationWithHeaders(null, headers(1)));
        assertFails(good, new PublicationWithHeaders(publication(topic, "{}"), null));
        assertFails(good, new PublicationWithHeaders(publication(topic, "{}"), new Header[] {null}));
        assertThatThrownBy(() -> broker.publishBatch(new Publication[] {good.message(), null}, false))
                .isInstanceOf(Exception.class);

        assertNothingWasSent(subscription, topic);
    }

    @Test
    void shouldSendNoneWhenOneOfABatchCannotExpireSo() throws Exception {
        final String topic = topic();
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic));
        final Publication good = publication(topic, "{}");
        final Publication bad = good.expirationMs(-2);

        assertRefused(ErrorCode.BAD_MESSAGE, () -> broker.publish(bad, false));
        assertThatThrownBy(() -> broker.publishBatch(new Publication[] {good, bad}, false))
                .hasMessageContaining("publishBatch: message 1: publish: expiration is too small: -2");

        assertNothingWasSent(subscription, topic);
    }

    private void assertFails(final @Nullable PublicationWithHeaders... batch) {
        assertThatThrownBy(() -> broker.publishBatchWithHeaders(batch, false)).isInstanceOf(Exception.class);
    }

    /** The next one that is published is the first that comes. */
    private void assertNothingWasSent(final long subscription, final String topic) throws Exception {
        publish(topic, "{\"n\":\"next\"}");
        assertThat(take(subscription, 1)).containsExactly("{\"n\":\"next\"}");
        broker.unsubscribe(subscription);
    }

    private static PublicationWithHeaders withHeaders(final String topic, final int number, final Header[] headers) {
        return new PublicationWithHeaders(publication(topic, "{\"n\":" + number + "}"), headers);
    }

    private static Header[] headers(final int count) {
        final Header[] headers = new Header[count];
        for (int i = 0; i < count; i++) {
            headers[i] = Header.of("h" + i, i);
        }
        return headers;
    }

    @Test
    void shouldNameTheMessageWhenOneOfABatchIsRefused() {
        final String topic = topic();
        final BrokerException reason = catchThrowableOfType(
                BrokerException.class,
                () -> broker.publishBatch(
                        new Publication[] {publication(topic, "{}"), publication(topic, "{")}, false));

        assertThat(reason.name()).isEqualTo("BAD_MESSAGE");
        assertThat(reason.code()).isEqualTo(ErrorCode.BAD_MESSAGE.code());
        assertThat(reason.text()).contains("message 1");
        assertThatThrownBy(() -> broker.publishBatchWithHeaders(
                        new PublicationWithHeaders[] {
                            withHeaders(topic, 0, headers(1)),
                            new PublicationWithHeaders(publication(topic, "{"), headers(1))
                        },
                        false))
                .hasMessageContaining("publishBatchWithHeaders: message 1: ");
    }

    @Test
    void shouldPublishTheOthersWhenOneOfABatchCannotBeSent() throws Exception {
        final String topic = topic();
        final long subscription = broker.subscribe(SubscribeRequest.topic(topic));

        final BrokerException reason = catchThrowableOfType(
                BrokerException.class,
                () -> broker.publishBatch(
                        new Publication[] {
                            publication(topic, "{\"n\":0}"),
                            publication("t".repeat(100_000), "{}"),
                            publication("", "{}"),
                            publication(topic, "{\"n\":3}")
                        },
                        false));

        assertThat(reason.text()).startsWith("publishBatch: message 1: ");
        assertThat(take(subscription, 2)).containsExactly("{\"n\":0}", "{\"n\":3}");
        broker.unsubscribe(subscription);
    }

    @Test
    void shouldRefuseABatchWhenItIsTooMuch() {
        final Publication[] many = new Publication[harness.config().batchCountMax() + 1];
        Arrays.fill(many, publication(topic(), "{}"));

        assertThatThrownBy(() -> broker.publishBatch(many, false)).isInstanceOf(Exception.class);
        final PublicationWithHeaders[] manyWithHeaders = new PublicationWithHeaders[many.length];
        Arrays.fill(manyWithHeaders, withHeaders(topic(), 0, headers(1)));
        assertFails(manyWithHeaders);
    }

    @Test
    void shouldGiveAllRecordsInPagesWhenAQuery() throws Exception {
        final String topic = topic();
        harness.client().declareTopic(topic, "json", "id", 0);
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
    void shouldTellTheBrokersReasonWhenItRefuses() {
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
        harness.client().declareTopic(topic, "json", "id", 0);
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

    private void publish(final String topic, final String text) throws Exception {
        broker.publish(publication(topic, text), false);
    }

    public static Publication publication(final String topic, final String text) {
        return Publication.of(topic, text.getBytes(StandardCharsets.UTF_8));
    }

    public static String topic() {
        return "tck-" + TOPICS.incrementAndGet();
    }

    private static String text(final Delivery delivery) {
        return new String(delivery.data(), StandardCharsets.UTF_8);
    }

    private List<String> take(final long subscription, final int count) throws Exception {
        return takeDeliveries(subscription, count).stream().map(BridgeTck::text).toList();
    }

    private List<Delivery> takeDeliveries(final long subscription, final int count) throws Exception {
        final List<Delivery> taken = new ArrayList<>();
        while (taken.size() < count) {
            final Delivery[] next = broker.next(subscription, 500, WAIT_MS);
            assertThat(next).as("messages after %d of %d", taken.size(), count).isNotEmpty();
            taken.addAll(List.of(next));
        }
        return taken;
    }

    private List<DeliveryWithHeaders> takeWithHeaders(final long subscription, final int count) throws Exception {
        final List<DeliveryWithHeaders> taken = new ArrayList<>();
        while (taken.size() < count) {
            final DeliveryWithHeaders[] next = broker.nextWithHeaders(subscription, 500, WAIT_MS);
            assertThat(next).as("messages after %d of %d", taken.size(), count).isNotEmpty();
            taken.addAll(List.of(next));
        }
        return taken;
    }

    public static void assertRefused(final ErrorCode code, final Call call) {
        final Throwable thrown = catchThrowable(call::run);
        assertThat(thrown).isInstanceOf(BrokerException.class);
        assertThat(((BrokerException) thrown).name()).isEqualTo(code.name());
        assertThat(((BrokerException) thrown).code()).isEqualTo(code.code());
        assertThat(((BrokerException) thrown).text()).isNotEmpty();
    }

    /** A call that may be refused. */
    public interface Call {
        void run() throws Exception;
    }
}
