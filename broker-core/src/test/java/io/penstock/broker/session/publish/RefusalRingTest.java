package io.penstock.broker.session.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.state.StateRefusal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalRingTest {
    private static final int BATCH = 3;

    private final List<Long> commandIds = new ArrayList<>();
    private final RefusalRing ring =
            new RefusalRing((sessionId, commandId, publisherSequence, shard, topicId, reason, used, limit) ->
                    commandIds.add(commandId));

    /** What is processed is acknowledged after one look at the refusals. */
    @Test
    void shouldReadAllThatIsThereWhereverTheRingWraps() {
        long nextId = 1;
        for (int batch = 0; batch < 5000; batch++) {
            for (int i = 0; i < BATCH; i++) {
                assertThat(ring.offer(7, nextId++, 0, 0, 3, StateRefusal.NO_ROOM_FOR_KEY, 10, 10))
                        .isTrue();
            }
            assertThat(ring.read()).isEqualTo(BATCH);
            assertThat(commandIds).containsExactly(nextId - 3, nextId - 2, nextId - 1);
            commandIds.clear();
        }
    }
}
