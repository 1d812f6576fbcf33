package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.orb.Delivery;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.Header;
import org.junit.jupiter.api.Test;

class MessageQueueTest {
    private static final int LENGTH_MAX = 10_000;
    private static final int CREDIT_LENGTH = 56;

    private final HeldLength held = new HeldLength(15_000);
    private final MessageQueue queue = new MessageQueue(Integer.MAX_VALUE, LENGTH_MAX, held);

    @Test
    void shouldRefuseMoreWhenMessagesWithoutPayloadWait() throws Exception {
        assertThat(filled(queue, "t", "key")).isEqualTo(LENGTH_MAX / (MessageQueue.MESSAGE_OVERHEAD + 2 * 4));

        assertThat(queue.take(1, 0, 0).deliveries()).hasSize(1);
        assertThat(filled(queue, "t", "key")).isOne();
    }

    @Test
    void shouldRefuseMoreWhenAllHoldTooMuch() throws Exception {
        final MessageQueue other = new MessageQueue(Integer.MAX_VALUE, LENGTH_MAX, held);
        final int count = filled(queue, "", "");

        assertThat(count + filled(other, "", "")).isEqualTo(15_000 / MessageQueue.MESSAGE_OVERHEAD);
    }

    @Test
    void shouldHoldNothingWhenAllWasTakenOrDropped() throws Exception {
        final int count = filled(queue, "topic", "");
        assertThat(held.length()).isEqualTo((long) count * (MessageQueue.MESSAGE_OVERHEAD + 10));

        final MessageQueue.Taken taken = queue.take(count - 2, Long.MAX_VALUE, 0);
        assertThat(taken.deliveries()).hasSize(count - 2);
        assertThat(taken.creditLength()).isEqualTo(CREDIT_LENGTH * (count - 2L));
        assertThat(held.length()).isEqualTo(2L * (MessageQueue.MESSAGE_OVERHEAD + 10));
        queue.clear();

        assertThat(held.length()).isZero();
    }

    @Test
    void shouldCountHeadersWhenMessagesWait() throws Exception {
        final Header[] headers = {Header.of("name", "text"), Header.of("bytes", new byte[1000])};
        final DeliveryWithHeaders message =
                new DeliveryWithHeaders(message("topic", 1, "").message(), headers);

        assertThat(queue.offer(message, CREDIT_LENGTH)).isTrue();

        assertThat(held.length())
                .isEqualTo(MessageQueue.MESSAGE_OVERHEAD + 10 + HeaderValues.length(headers))
                .isGreaterThan(1000);
        assertThat(queue.take(1, Long.MAX_VALUE, 0).deliveries()).containsExactly(message);
        assertThat(held.length()).isZero();
    }

    private static DeliveryWithHeaders message(final String topic, final int sequence, final String key) {
        return new DeliveryWithHeaders(
                new Delivery(Delivery.MESSAGE, topic, 0, sequence, 0, key, new byte[0]), new Header[0]);
    }

    private static int filled(final MessageQueue queue, final String topic, final String key) {
        int count = 0;
        while (queue.offer(message(topic, count, key), CREDIT_LENGTH)) {
            count++;
        }
        return count;
    }
}
