package io.penstock.broker.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.match.FollowOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How fast a sequencer forgets the subscriptions of clients that have disconnected. */
class DisconnectedClientsTest {
    private static final FollowOptions OOF = new FollowOptions(true, false, false, null, 0, null);

    /** Half of the feeds follow state. */
    @ParameterizedTest
    @CsvSource({
        // clients, feeds of each, feeds that come in a duty cycle, duty cycles at least, at most
        "1, 800, 0, 100, 101",
        "1, 800, 8, 50, 51",
        "2, 400, 0, 75, 80",
        "8, 800, 0, 260, 280",
        "64, 100, 0, 110, 130",
        "100, 3, 0, 6, 12",
        "640, 0, 0, 10, 20",
        "1, 0, 0, 1, 1",
        "16, 8, 0, 2, 10",
    })
    void shouldForgetMoreAtATimeWhenMoreClientsHaveLeft(
            final int clientCount, final int partCount, final int cameCount, final int cyclesMin, final int cyclesMax) {
        try (StateShard shard = new StateShard(1)) {
            long feed = 1;
            for (int client = 1; client <= clientCount; client++) {
                for (int i = 0; i < partCount; i++) {
                    shard.follow(0, feed++, client, i % 2 == 0 ? OOF : null, "");
                }
            }
            shard.cycle();
            for (int client = 1; client <= clientCount; client++) {
                shard.sequencer.shard().commands().removeSession(client);
            }
            int cycles = 0;
            while (shard.sequencer.isRetrying()) {
                for (int i = 0; i < cameCount; i++) {
                    shard.follow(0, feed++, Long.MAX_VALUE, OOF, "");
                }
                shard.cycle();
                cycles++;
            }
            assertThat(cycles).isBetween(cyclesMin, cyclesMax);
            assertThat(shard.state.followed().isEmpty()).isEqualTo(cameCount == 0);
            assertThat(shard.sequencer.shard().counters().subscriptions().get()).isZero();
        }
    }
}
