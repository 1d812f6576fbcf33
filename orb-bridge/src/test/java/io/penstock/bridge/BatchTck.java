package io.penstock.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the contract promises of batches. */
public abstract class BatchTck extends BridgeFixture {
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
}
