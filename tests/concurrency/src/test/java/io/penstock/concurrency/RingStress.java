package io.penstock.concurrency;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.broker.concurrent.ReadyBits;
import io.penstock.broker.shard.match.Descriptor;
import io.penstock.broker.shard.match.DescriptorRing;
import org.agrona.concurrent.ControlledMessageHandler;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** What crosses from a sequencer to an I/O agent. */
final class RingStress {
    private static final int RING_LENGTH = 1024;

    private RingStress() {}

    /**
     * Two descriptors are offered: what comes is whole and in order, and when all was read or a slot is marked nothing is
     * left behind.
     */
    @JCStressTest
    @Outcome(id = "[012], 2, 1", expect = ACCEPTABLE, desc = "some now, the rest later, and marked for it")
    @Outcome(expect = FORBIDDEN, desc = "lost, torn, out of order, or nobody was notified")
    @State
    public static class Descriptors {
        private final ReadyBits ready = new ReadyBits(1, () -> {});
        private final DescriptorRing ring = new DescriptorRing(RING_LENGTH, ready, 0);
        private int expected = 1;
        private boolean wrong;
        private int marks;

        @Actor
        public void offer() {
            ring.offer(Descriptor.TYPE_RUN, 1, 1, 1, 1, 1, 1, 1, 1);
            ring.offer(Descriptor.TYPE_RUN, 2, 2, 2, 2, 2, 2, 2, 2);
        }

        @Actor
        public void read(final III_Result r) {
            marks += ready.take(slot -> {});
            r.r1 = take();
        }

        @Arbiter
        public void end(final III_Result r) {
            final int later = ready.take(slot -> {});
            r.r2 = r.r1 + take();
            // What is left at the end was marked after the reader took the marks.
            r.r3 = !wrong && (r.r1 == 2 || later + marks > 0) ? 1 : 0;
        }

        private int take() {
            return ring.read(
                    (type, buffer, index, length) -> {
                        wrong |= Descriptor.subscription(buffer, index) != expected
                                || Descriptor.position(buffer, index) != expected
                                || Descriptor.runLength(buffer, index) != expected
                                || Descriptor.recordCount(buffer, index) != expected;
                        expected++;
                        return ControlledMessageHandler.Action.CONTINUE;
                    },
                    8);
        }
    }
}
