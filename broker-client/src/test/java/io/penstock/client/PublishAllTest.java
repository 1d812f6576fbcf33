package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Batches of messages with one acknowledgement. */
class PublishAllTest {
    private final ClientFixture fixture = new ClientFixture(
            "publish-all",
            config -> config.publishTimeout(Duration.ZERO).inFlightLimit(4).messageLengthMax(100));

    @AfterEach
    void close() {
        fixture.close();
    }

    private CompletableFuture<BatchAck> publish(final String... texts) {
        final List<Publication> batch = List.of(texts).stream()
                .map(text -> Publication.to("orders").text(text))
                .toList();
        final CompletableFuture<BatchAck> future = fixture.client.publishAll(batch, AckType.PROCESSED);
        fixture.poll();
        return future;
    }

    private static void assertFailed(final CompletableFuture<BatchAck> batch, final Consumer<BatchException> check) {
        assertThat(batch).isCompletedExceptionally();
        assertThatThrownBy(batch::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(BatchException.class, check);
    }

    @Test
    void shouldSendInOrderAndCompleteWhenAllAreAcknowledged() {
        fixture.loggedOn();
        final CompletableFuture<BatchAck> batch = publish("a", "b", "c");
        assertThat(fixture.broker.commands())
                .containsExactly("publish 2 0 2 orders a", "publish 3 0 2 orders b", "publish 4 0 2 orders c");
        fixture.broker.ack(AckType.PROCESSED, 3);
        fixture.poll();
        assertThat(batch).isNotDone();
        fixture.broker.ack(AckType.PROCESSED, 4);
        fixture.poll();
        assertThat(batch)
                .isCompletedWithValueMatching(
                        ack -> ack.count() == 3 && ack.duplicateCount() == 0 && ack.type() == AckType.PROCESSED);
    }

    @Test
    void shouldCompleteAtOnceWhenThereIsNothingToSend() {
        fixture.loggedOn();
        assertThat(publish()).isCompletedWithValue(new BatchAck(AckType.PROCESSED, 0, 0, Bookmark.NONE));
        assertThat(fixture.broker.commands()).isEmpty();
    }

    @Test
    void shouldSayWhichMessagesTheBrokerRefusedAndSendTheOthers() {
        fixture.loggedOn();
        final CompletableFuture<BatchAck> batch = publish("a", "b", "c");
        fixture.broker.error(3, 0, ErrorCode.BAD_MESSAGE, "no JSON");
        fixture.poll();
        assertThat(batch).isNotDone();
        fixture.broker.ack(AckType.PROCESSED, 4);
        fixture.poll();
        assertFailed(batch, e -> {
            assertThat(e.count()).isEqualTo(3);
            assertThat(e.failed().stream()).containsExactly(1);
            assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_MESSAGE);
            assertThat(e.reasons()).containsOnlyKeys(1);
            assertThat(e)
                    .hasMessage(
                            "publishAll: not acknowledged: 1 of 3 messages, the first at index 1 (the cause says why;"
                                    + " failed() has the indices)")
                    .cause()
                    .hasMessageContaining("no JSON");
        });
    }

    @Test
    void shouldEndTheBatchAtTheFirstThatGetsNoRoom() {
        fixture.loggedOn();
        final CompletableFuture<BatchAck> batch = publish("a", "b", "c", "d", "e", "f");
        assertThat(fixture.broker.commands()).hasSize(4);
        assertThat(batch).isNotDone();
        fixture.broker.ack(AckType.PROCESSED, 5);
        fixture.poll();
        assertFailed(batch, e -> {
            assertThat(e.failed().stream()).containsExactly(4, 5);
            assertThat(e).hasCauseInstanceOf(BackPressureException.class);
        });
    }

    @Test
    void shouldFailWhatIsNotAcknowledgedWhenTheConnectionIsLost() {
        fixture.loggedOn();
        final CompletableFuture<BatchAck> batch = publish("a", "b", "c");
        fixture.broker.ack(AckType.PROCESSED, 2);
        fixture.poll();
        fixture.broker.disconnect();
        fixture.poll();
        assertFailed(batch, e -> {
            assertThat(e.failed().stream()).containsExactly(1, 2);
            assertThat(e.reasons().values()).hasOnlyElementsOfType(ConnectionException.class);
        });
    }

    @Test
    void shouldSendNothingWhenOneMessageIsMalformed() {
        fixture.loggedOn();
        assertThatThrownBy(() -> publish("a", "b".repeat(101), "c"))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.MESSAGE_TOO_LONG));
        fixture.poll();
        assertThat(fixture.broker.commands()).isEmpty();
    }

    @Test
    void shouldThrowWhenTheClientIsClosed() {
        fixture.loggedOn();
        fixture.agent.end(new ConnectionException("client: gone", null));
        assertThatThrownBy(() -> publish("a")).isInstanceOf(ConnectionException.class);
    }

    @Test
    void shouldKeepTheReasonsOfTheFirstHundred() {
        final AckBatch batch = new AckBatch(AckType.PROCESSED, 1_000);
        IntStream.range(0, 1_000)
                .forEach(index -> batch.onFailure(index, new PenstockException(ErrorCode.BAD_MESSAGE, "no " + index)));
        assertFailed(batch, e -> {
            assertThat(e.failed().cardinality()).isEqualTo(1_000);
            assertThat(e.reasons()).hasSize(AckBatch.REASON_COUNT_MAX);
        });
    }

    @Test
    void shouldSayWhereTheNewestIsAndCountDuplicates() {
        final AckBatch batch = new AckBatch(AckType.PERSISTED, 3);
        batch.onApplied(0, 2, 70);
        batch.onAck(0, AckType.PERSISTED, 0);
        batch.onApplied(1, 0, 9);
        batch.onAck(1, AckType.PERSISTED, 0);
        batch.onDuplicate(2, AckType.PERSISTED, 5);
        assertThat(batch)
                .isCompletedWithValue(
                        new BatchAck(AckType.PERSISTED, 3, 1, Bookmark.of(0, 9).with(2, 70)));
    }
}
