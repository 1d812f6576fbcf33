package io.penstock.broker.shard.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;

/** Commands come again when they may be lost, and an order that is slow is not filled with them. */
class HandoverTest {
    private static final CommandOrigin ORIGIN = new CommandOrigin(0, 0, 0, 1);

    private final CachedNanoClock clock = new CachedNanoClock();
    private final PendingCommands pending = new PendingCommands(1 << 20);
    private final List<Long> offered = new ArrayList<>();
    private final Sender sender = new Sender();
    private final Handover handover = new Handover(pending, sender, clock);

    private final class Sender implements CommandSender {
        private long generation = 1;

        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            return offered.add(CommandHeader.number(buffer, offset));
        }

        @Override
        public long generation() {
            return generation;
        }

        @Override
        public int doWork() {
            return 0;
        }
    }

    private void add(final int count) {
        for (int i = 0; i < count; i++) {
            final int at = pending.claim(CommandHeader.LENGTH);
            CommandHeader.put(pending.memory(), at, CommandHeader.TEMPLATE_BATCH, ORIGIN, pending.next());
            pending.add(CommandHeader.LENGTH);
        }
    }

    /** What is handed over in so many seconds, of which each has ten turns. */
    private List<Long> after(final int seconds) {
        offered.clear();
        for (int i = 0; i < 10 * seconds; i++) {
            clock.advance(TimeUnit.MILLISECONDS.toNanos(100));
            handover.send();
        }
        return List.copyOf(offered);
    }

    @Test
    void shouldHandOverOnlyTheFirstAgainWhenNothingIsApplied() {
        add(3);
        assertThat(after(1)).containsExactly(1L, 2L, 3L);
        assertThat(after(2)).containsExactly(1L);
        assertThat(after(3)).isEmpty();
        assertThat(after(1)).containsExactly(1L);
        add(1);
        assertThat(after(1)).as("new ones go on").containsExactly(4L);
    }

    @Test
    void shouldFillALogWithLittleWhenNothingIsAppliedForLong() {
        add(1000);
        assertThat(after(600)).hasSizeBetween(1010, 1020);
    }

    @Test
    void shouldHandOverTheRestWhenTheFirstHadBeenLost() {
        add(3);
        after(3);

        handover.onApplied(1);

        assertThat(after(1)).containsExactly(2L, 3L);
    }

    @Test
    void shouldNotHandOverTheRestWhenTheFirstWasOnlySlow() {
        add(3);
        after(3);

        handover.onApplied(2);

        assertThat(after(1)).isEmpty();
        assertThat(after(2)).as("waits no longer than at first").containsExactly(3L);
    }

    @Test
    void shouldHandOverAllWhenTheyMayBeLost() {
        add(3);
        after(60);

        sender.generation++;

        assertThat(after(1)).containsExactly(1L, 2L, 3L);
        assertThat(after(2)).as("waits no longer than at first").containsExactly(1L);
    }
}
