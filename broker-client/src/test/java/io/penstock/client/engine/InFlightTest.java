package io.penstock.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.AckHandler;
import io.penstock.client.AckType;
import io.penstock.client.PenstockException;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class InFlightTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 200);
    private static final List<AckType> TYPES = List.of(AckType.RECEIVED, AckType.PROCESSED, AckType.PERSISTED);
    private final PenstockException reason = new PenstockException(ErrorCode.BAD_MESSAGE, "bad");

    private final List<String> events = new ArrayList<>();
    private final AckHandler handler = new AckHandler() {
        @Override
        public void onAck(final long correlationId, final AckType type, final long publisherSequence) {
            events.add(correlationId + " " + type);
        }

        @Override
        public void onDuplicate(final long correlationId, final AckType type, final long publisherSequence) {
            events.add(correlationId + " duplicate");
        }

        @Override
        public void onFailure(final long correlationId, final PenstockException cause) {
            events.add(correlationId + " failed");
        }
    };
    private final List<PendingCommand> released = new ArrayList<>();
    private final InFlight inFlight = new InFlight(8, released::add);

    @Test
    void shouldAnswerAllUpToAConflatedAck() {
        publish(10, AckType.PERSISTED.mask());
        publish(12, AckType.PERSISTED.mask());
        publish(20, AckType.PERSISTED.mask());
        inFlight.onAck(AckType.PERSISTED, 15, false, 0, 0);
        assertThat(events).containsExactly("10 PERSISTED", "12 PERSISTED");
        assertThat(released).hasSize(2);
        assertThat(inFlight.isEmpty()).isFalse();
    }

    @Test
    void shouldAnswerOnlyThoseThatAskedForTheType() {
        publish(1, AckType.PROCESSED.mask());
        publish(2, AckType.PERSISTED.mask());
        publish(3, AckType.PROCESSED.mask() | AckType.PERSISTED.mask());
        inFlight.onAck(AckType.PROCESSED, 3, false, 0, 0);
        assertThat(events).containsExactly("1 PROCESSED", "3 PROCESSED");
        inFlight.onAck(AckType.PERSISTED, 3, false, 0, 0);
        assertThat(events).containsExactly("1 PROCESSED", "3 PROCESSED", "2 PERSISTED", "3 PERSISTED");
        assertThat(inFlight.isEmpty()).isTrue();
    }

    @Test
    void shouldDistinguishDuplicatesFromThoseThatWereApplied() {
        publish(1, AckType.PERSISTED.mask());
        publish(2, AckType.PERSISTED.mask());
        publish(3, AckType.PERSISTED.mask());
        inFlight.onAck(AckType.PERSISTED, 2, true, 0, 0);
        inFlight.onAck(AckType.PERSISTED, 3, false, 0, 0);
        assertThat(events).containsExactly("1 duplicate", "2 duplicate", "3 PERSISTED");
        assertThat(inFlight.isEmpty()).isTrue();
    }

    @Test
    void shouldNotHideAFailureInAConflatedAck() {
        publish(1, AckType.PERSISTED.mask());
        publish(2, AckType.PERSISTED.mask());
        publish(3, AckType.PERSISTED.mask());
        assertThat(inFlight.onError(2, reason)).isTrue();
        inFlight.onAck(AckType.PERSISTED, 3, false, 0, 0);
        assertThat(events).containsExactly("2 failed", "1 PERSISTED", "3 PERSISTED");
    }

    /**
     * The broker reports a failed log once for all publishes; later acknowledgements of another log do not hide the
     * failure.
     */
    @Test
    void shouldFailAllThatWaitToBePersistedWhenTheLogHasFailed() {
        publish(1, AckType.PERSISTED.mask());
        publish(2, AckType.COMPLETED.mask());
        publish(3, AckType.PROCESSED.mask() | AckType.PERSISTED.mask());
        publish(4, AckType.PERSISTED.mask());
        publish(5, AckType.PERSISTED.mask());
        assertThat(inFlight.onJournalFailed(4, reason)).isTrue();
        inFlight.onAck(AckType.PERSISTED, 5, false, 0, 0);
        inFlight.onAck(AckType.COMPLETED, 5, false, 0, 0);
        assertThat(events).containsExactly("1 failed", "3 failed", "4 failed", "5 PERSISTED", "2 COMPLETED");
        assertThat(inFlight.isEmpty()).isTrue();
        assertThat(inFlight.onJournalFailed(4, reason)).isFalse();
    }

    @Test
    void shouldAnswerOnceWhenAcksAreRepeated() {
        publish(1, AckType.PERSISTED.mask());
        inFlight.onAck(AckType.PERSISTED, 1, false, 0, 0);
        inFlight.onAck(AckType.PERSISTED, 1, false, 0, 0);
        assertThat(events).containsExactly("1 PERSISTED");
        assertThat(inFlight.onError(1, reason)).isFalse();
    }

    @Test
    void shouldAnswerARequestByItsOwnAckAlone() {
        publish(1, AckType.PROCESSED.mask());
        final Request<?> request = new Request.Done();
        inFlight.add(2, new PendingCommand(PendingCommand.NO_INDEX).request(request));
        inFlight.onAck(AckType.PROCESSED, 2, false, 0, 0);
        assertThat(request).isCompleted();
        assertThat(events).as("the publish has its own ack").isEmpty();
    }

    @Test
    void shouldFailEverythingAndCountThePublishes() {
        publish(1, AckType.PROCESSED.mask());
        publish(2, AckType.PROCESSED.mask());
        publish(3, AckType.PROCESSED.mask());
        inFlight.onError(2, reason);
        final Request<?> request = new Request.Done();
        inFlight.add(4, new PendingCommand(PendingCommand.NO_INDEX).request(request));
        assertThat(inFlight.failAll(reason)).isEqualTo(2);
        assertThat(events).containsExactly("2 failed", "1 failed", "3 failed");
        assertThat(request).isCompletedExceptionally();
        assertThat(inFlight.isEmpty()).isTrue();
        assertThat(released).hasSize(4);
    }

    @Test
    void shouldAnswerAsANaiveModelDoes() {
        for (long seed = 0; seed < SEEDS; seed++) {
            events.clear();
            inFlight.failAll(reason);
            events.clear();
            compareWithModel(new Random(seed), seed);
        }
    }

    private void compareWithModel(final Random random, final long seed) {
        final TreeMap<Long, Integer> model = new TreeMap<>();
        final List<String> expected = new ArrayList<>();
        long nextId = 1 + seed * 1_000_000;
        for (int i = 0; i < 300; i++) {
            final int choice = random.nextInt(10);
            if (choice < 5 && model.size() < 8 && held() < 8) {
                final int types = 1 + random.nextInt(7);
                publish(nextId, types);
                model.put(nextId, types);
                nextId += 1 + random.nextInt(3);
            } else if (choice < 9) {
                final AckType type = TYPES.get(random.nextInt(3));
                final long upTo = nextId - random.nextInt(12);
                inFlight.onAck(type, upTo, false, 0, 0);
                for (final Long id : List.copyOf(model.headMap(upTo, true).keySet())) {
                    final int types = model.getOrDefault(id, 0);
                    if ((types & type.mask()) != 0) {
                        expected.add(id + " " + type);
                        answer(model, id, types & ~type.mask());
                    }
                }
            } else {
                final long id = nextId - random.nextInt(12);
                inFlight.onError(id, reason);
                if (model.remove(id) != null) {
                    expected.add(id + " failed");
                }
            }
        }
        assertThat(events).as("seed %d", seed).isEqualTo(expected);
    }

    private int taken;

    private int held() {
        return taken - released.size();
    }

    private static void answer(final Map<Long, Integer> model, final Long id, final int types) {
        if (types == 0) {
            model.remove(id);
        } else {
            model.put(id, types);
        }
    }

    private void publish(final long commandId, final int ackTypes) {
        taken++;
        inFlight.add(commandId, new PendingCommand(0).publish(handler, commandId, 0, ackTypes));
    }
}
