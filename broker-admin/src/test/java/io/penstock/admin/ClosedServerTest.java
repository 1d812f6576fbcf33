package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An admin server that is closed leaves nothing of its own in a broker that goes on. */
class ClosedServerTest extends AdminFixture {
    /** More than there are workers. */
    private static final int TAIL_COUNT = 30;

    @Test
    void shouldCloseTheClientsOfAllTails() throws Exception {
        final List<Sse> tails = new ArrayList<>();
        try {
            for (int i = 0; i < TAIL_COUNT; i++) {
                final Sse tail = new Sse(admin.endpoint(), "/api/v1/stream/tail?topic=prices");
                tails.add(tail);
                assertThat(tail.status()).isEqualTo("200");
            }
            assertThat(broker.counter("sessions")).isEqualTo(TAIL_COUNT);
            admin.close();
            while (broker.counter("sessions") > 0) {
                assertThat(Thread.interrupted()).as("in time").isFalse();
                Thread.onSpinWait();
            }
        } finally {
            for (final Sse tail : tails) {
                tail.close();
            }
        }
    }
}
