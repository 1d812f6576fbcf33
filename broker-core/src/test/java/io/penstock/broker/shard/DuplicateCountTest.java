package io.penstock.broker.shard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.log.Publication;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A dropped message counts once, however often it has to come until its I/O agent can be notified. */
class DuplicateCountTest {
    private final Publication publication = new Publication();
    private final UnsafeBuffer message = new UnsafeBuffer("{\"price\":1}".getBytes(UTF_8));

    @Test
    void shouldCountADuplicateOnceWhenItComesAgain() {
        try (StateShard shard = new StateShard(1)) {
            final DirectPort port = new DirectPort(0, shard.sequencer);
            final int publisher = shard.sequencer.shard().commands().openPublisher("publisher");
            int sequence = 0;
            do {
                sequence++;
                assertThat(publish(shard, port, publisher, sequence)).isTrue();
                shard.cycle();
                // Nobody reads the notices to the I/O agent.
            } while (publish(shard, port, publisher, sequence));
            assertThat(sequence).isGreaterThan(10);
            for (int i = 0; i < 10; i++) {
                assertThat(publish(shard, port, publisher, sequence)).isFalse();
                shard.cycle();
            }
            assertThat(shard.sequencer.shard().counters().duplicates().get()).isEqualTo(sequence - 1);
        }
    }

    private boolean publish(final StateShard shard, final DirectPort port, final int publisher, final int sequence) {
        return port.publish(
                publication.of(shard.topics.get(0).id(), publisher, sequence).payload(message, 0, message.capacity()));
    }
}
