package io.penstock.broker.shard.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.replica.ModelNode.Change;
import io.penstock.broker.shard.replica.ModelNode.Plant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Ticks come as records are due, and do not fill an order that is slow. */
class TickTest {
    private final Random random = new Random(1);
    private final ModelLog log = new ModelLog(random, 1);
    private final AtomicBoolean isHeld = new AtomicBoolean();
    private final Plant plant = (source, node) -> (handler, limit) -> isHeld.get() ? 0 : source.read(handler, limit);

    private void pass(final ModelNode node, final long ms) {
        final long endNs = log.timeNs() + TimeUnit.MILLISECONDS.toNanos(ms);
        while (log.timeNs() < endNs) {
            log.step();
            node.cycle(random);
        }
    }

    private long tickCount() {
        long count = 0;
        for (int i = 0; i < log.size(); i++) {
            if (CommandHeader.template(new UnsafeBuffer(log.get(i).bytes()), 0) == CommandHeader.TEMPLATE_TICK) {
                count++;
            }
        }
        return count;
    }

    @Test
    void shouldHandInNoOtherTickWhileOneIsUnderWay() {
        log.calm();
        try (ModelNode node = new ModelNode(log, 0, 1 << 20, plant)) {
            node.publish(0, "short", new Change(1, false, 0, false, 0, 0), "{\"id\":1}".getBytes(UTF_8));
            pass(node, 150);
            final int before = node.records.size();
            isHeld.set(true);
            pass(node, 2_000);
            assertThat(tickCount()).isEqualTo(1);
            pass(node, 10_000);
            assertThat(tickCount()).as("one that may be lost comes again").isBetween(5L, 7L);
            assertThat(node.records).hasSize(before);

            isHeld.set(false);
            pass(node, 500);
            assertThat(node.records).as("the record is deleted").hasSize(before + 1);
        }
    }
}
