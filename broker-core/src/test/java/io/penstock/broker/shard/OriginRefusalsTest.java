package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageFormats;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OriginRefusalsTest {
    private final List<StateRefusal> told = new ArrayList<>();
    private final Batch batch = new Batch(() -> 1);
    private final OriginRefusals refusals =
            new OriginRefusals(batch, (topic, publication, reason, used, limit) -> told.add(reason));
    private final Topic topic = new Topic(0, 1, "topic", MessageFormats.formatFor("json"), null);

    @Test
    void shouldTellClientsOfThisNodeOnly() {
        batch.hold(1, true);
        assertThat(refuse(StateRefusal.FULL)).isTrue();
        batch.release();
        batch.hold(2, false);
        assertThat(refuse(StateRefusal.TOO_LONG)).isTrue();

        assertThat(told).containsExactly(StateRefusal.TOO_LONG);
    }

    @Test
    void shouldRefuseNothingForWantOfMemoryWhenOthersApplyTheSame() {
        assertThat(refuse(StateRefusal.NO_ROOM_FOR_KEY)).isTrue();
        batch.followOrder();

        assertThatThrownBy(() -> refuse(StateRefusal.NO_ROOM_FOR_KEY))
                .hasMessageContaining("state.memoryLengthMax")
                .hasMessageContaining("7 of 9 bytes");
        assertThat(told).containsExactly(StateRefusal.NO_ROOM_FOR_KEY);
    }

    private boolean refuse(final StateRefusal reason) {
        return refusals.onRefused(topic, new Publication(), reason, 7, 9);
    }
}
