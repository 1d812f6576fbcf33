package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.config.IiopConfig;
import io.penstock.bridge.config.RmiConfig;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Header;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.protocol.ErrorCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is refused before anything of a batch is sent. */
class BatchTest {
    private static final int LENGTH_MAX = 1024;
    private static final int COUNT_MAX = 3;

    /** A block's length, a type, the length of a name, its character, and a number. */
    private static final int HEADER_LENGTH = 2 + 2 + 1 + 8;

    private final BridgeCounters counters = new BridgeCounters();
    private final Publisher publisher = new Publisher(config(), counters);

    @Test
    void shouldTakeABatchWhenItReachesTheBounds() throws Exception {
        final Batch batch = Batch.withHeaders(
                new PublicationWithHeaders[] {message(1, 0), message(1, 0), message(LENGTH_MAX - 2 - HEADER_LENGTH, 1)},
                false);

        assertThatCode(() -> publisher.check(batch)).doesNotThrowAnyException();
    }

    @Test
    void shouldCountHeadersWhenMessagesAreTooLongTogether() {
        final BrokerException reason = refused(message(1, 0), message(LENGTH_MAX - HEADER_LENGTH, 1));

        assertThat(reason.code()).isEqualTo(ErrorCode.LIMIT_REACHED.code());
        assertThat(reason.text())
                .isEqualTo(
                        "publishBatchWithHeaders: too much: 2 messages of 1025 bytes (use at most 3, of 1024 bytes)");
        assertThat(counters.get(BridgeCounter.LIMITS_REACHED)).isOne();
    }

    @Test
    void shouldRefuseABatchWhenItHasTooManyMessages() {
        final PublicationWithHeaders one = message(1, 0);

        assertThat(refused(one, one, one, one).text())
                .isEqualTo("publishBatchWithHeaders: too much: 4 messages of 4 bytes (use at most 3, of 1024 bytes)");
    }

    /** It may be as long as a message that is published by itself. */
    @Test
    void shouldTakeAMessageWhenOnlyItsHeadersMakeItLonger() throws Exception {
        final Batch batch = Batch.withHeaders(new PublicationWithHeaders[] {message(LENGTH_MAX, 1)}, false);

        assertThatCode(() -> publisher.check(batch)).doesNotThrowAnyException();
    }

    @Test
    void shouldNameTheMessageWhenItIsTooLong() {
        final BrokerException reason = refused(message(1, 1), message(LENGTH_MAX + 1, 1));

        assertThat(reason.code()).isEqualTo(ErrorCode.MESSAGE_TOO_LONG.code());
        assertThat(reason.text()).startsWith("publishBatchWithHeaders: message 1: message: too long: 1025 bytes");
    }

    @Test
    void shouldNameTheMessageWhenItIsNotWhole() {
        final Publication whole = message(1, 0).message();
        final PublicationWithHeaders[] others = {
            null,
            new PublicationWithHeaders(null, new Header[0]),
            new PublicationWithHeaders(whole.key(null), new Header[0]),
            new PublicationWithHeaders(Publication.of(null, new byte[1]), new Header[0]),
            new PublicationWithHeaders(Publication.of("t", null), new Header[0])
        };
        for (final @Nullable PublicationWithHeaders each : others) {
            final BrokerException reason = refused(message(1, 1), each);
            assertThat(reason.code()).isEqualTo(ErrorCode.BAD_TEXT.code());
            assertThat(reason.text()).startsWith("publishBatchWithHeaders: message 1: message: is not whole");
        }
        assertThat(refused(message(1, 1), new PublicationWithHeaders(whole, null))
                        .text())
                .startsWith("publishBatchWithHeaders: message 1: header: no list of them");
        final BrokerException plain = catchThrowableOfType(
                BrokerException.class, () -> Batch.of(new Publication[] {whole, whole, null}, false));
        assertThat(plain.text()).startsWith("publishBatch: message 2: message: is not whole");
        assertThat(catchThrowableOfType(BrokerException.class, () -> Batch.of(null, false))
                        .text())
                .startsWith("publishBatch: is not whole");
    }

    private BrokerException refused(final @Nullable PublicationWithHeaders... messages) {
        return catchThrowableOfType(BrokerException.class, () -> publisher.check(Batch.withHeaders(messages, false)));
    }

    private static PublicationWithHeaders message(final int length, final int headerCount) {
        final Header[] headers = headerCount == 0 ? new Header[0] : new Header[] {Header.of("h", 1)};
        return new PublicationWithHeaders(Publication.of("t", new byte[length]), headers);
    }

    private static BridgeConfig config() {
        final BridgeConfig all = BridgeConfig.defaults();
        return new BridgeConfig(
                RmiConfig.none(),
                IiopConfig.none(),
                all.sessionCountMax(),
                all.subscriptionCountMax(),
                all.queryCountMax(),
                LENGTH_MAX,
                COUNT_MAX,
                LENGTH_MAX,
                all.queueCountMax(),
                all.queueLengthMax(),
                all.heldLengthMax(),
                all.leaseMs(),
                all.callTimeoutMs(),
                all.waitMsMax(),
                all.callbackTimeoutMs(),
                all.callbackThreadCountMax(),
                "");
    }
}
