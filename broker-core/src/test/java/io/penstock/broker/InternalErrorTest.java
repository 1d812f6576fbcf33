package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.ErrorCode;
import org.junit.jupiter.api.Test;

class InternalErrorTest {
    private boolean broken;

    @Test
    void shouldCloseOnlyTheSessionWhoseCommandTheBrokerFailedAt() {
        try (TestBroker test = new TestBroker(builder -> builder.epochClock(() -> {
            if (broken) {
                throw new IllegalStateException("no time");
            }
            return 1;
        }))) {
            final RawClient unlucky = test.logOn("unlucky");
            final RawClient other = test.logOn("other");
            other.publish(2, "t", "{}");
            test.awaitAck(other, 2);
            broken = true;
            unlucky.publish(2, "t", "{}");
            test.cycle();
            test.cycle();
            broken = false;
            unlucky.publish(3, "t", "{}");
            other.publish(3, "t", "{}");
            test.settle();

            // The acknowledgement of a later message would have stood for the one that was lost.
            assertThat(unlucky.acks).isEmpty();
            assertThat(unlucky.fatalErrors).containsExactly(ErrorCode.INTERNAL_ERROR);
            assertThat(unlucky.disconnected).isTrue();
            assertThat(other.acks).containsKey(3L);
            assertThat(test.broker.counter("errors")).isEqualTo(1);
            assertThat(test.takeErrors()).hasSize(1);
            test.assertNothingLeaked();
        }
    }
}
