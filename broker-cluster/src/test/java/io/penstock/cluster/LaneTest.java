package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.ControlledMessageHandler.Action;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class LaneTest {
    private static final UnsafeBuffer COMMAND = new UnsafeBuffer(new byte[56]);

    /** As many as there is room for; one place stays free. */
    private static final int FULL = 15;

    private final AtomicLong generation = new AtomicLong();
    private final AtomicInteger wakeups = new AtomicInteger();
    private final Lane lane = new Lane(1024, generation, wakeups::incrementAndGet);

    private int fill() {
        int count = 0;
        while (lane.offer(COMMAND, 0, COMMAND.capacity())) {
            count++;
        }
        return count;
    }

    @Test
    void shouldWakeItsAgentWhenItHasRoomAgain() {
        assertThat(fill()).isEqualTo(FULL);
        assertThat(lane.read((type, buffer, index, length) -> Action.ABORT, 10)).isZero();
        assertThat(wakeups).hasValue(0);

        assertThat(lane.read((type, buffer, index, length) -> Action.CONTINUE, 1))
                .isEqualTo(1);
        assertThat(lane.read((type, buffer, index, length) -> Action.CONTINUE, 1))
                .isEqualTo(1);

        assertThat(wakeups).hasValue(1);
        assertThat(fill()).isEqualTo(2);
    }

    @Test
    void shouldForgetEverythingWhenDiscarded() {
        lane.offer(COMMAND, 0, 8);
        lane.discard();
        fill();

        lane.discard();

        assertThat(lane.read((type, buffer, index, length) -> Action.CONTINUE, 10))
                .isZero();
        assertThat(fill()).isEqualTo(FULL);
    }

    @Test
    void shouldTellOfAnotherGenerationWhenThereIsOne() {
        assertThat(lane.generation()).isZero();
        generation.incrementAndGet();
        assertThat(lane.generation()).isEqualTo(1);
    }
}
