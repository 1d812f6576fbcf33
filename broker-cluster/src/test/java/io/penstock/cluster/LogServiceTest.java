package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.Header;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.Origin;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is in the order reaches the ring of its shard, or is dropped, or makes the node leave. */
class LogServiceTest {
    private static final int LENGTH = 64 * 1024;
    private static final BrokerConfig CONFIG = BrokerConfig.builder().build();
    private static final BrokerConfig OTHER =
            BrokerConfig.builder().shardCount(3).build();

    private static final int MEMBER_OFFSET = 8;
    private static final long STUCK_NS = 1_000_000_000;

    private final List<String> reports = new ArrayList<>();
    private final CommittedRing[] rings = {new CommittedRing(LENGTH, () -> {}), new CommittedRing(LENGTH, () -> {})};
    private final LogService service =
            new LogService(rings, Greeting.of(CONFIG), new Listener(), this::passTime, STUCK_NS);
    private final Header header = new Header(0, 16);
    private boolean isClosing;
    private long clockNs;
    private long stepNs = STUCK_NS / 10;
    private int lookCount;

    private final class Listener implements NodeListener {
        @Override
        public void onRole(final Cluster.Role role) {
            reports.add("role " + role);
        }

        @Override
        public void onLeave(final String reason) {
            reports.add("leave " + reason);
        }

        @Override
        public void onBadCommand(final String wrong) {
            reports.add("bad " + wrong);
        }

        @Override
        public void onError(final Throwable error) {
            reports.add("error " + error);
        }

        @Override
        public boolean isClosing() {
            return isClosing;
        }
    }

    private long passTime() {
        clockNs += stepNs;
        lookCount++;
        return clockNs;
    }

    private static UnsafeBuffer of(final int member, final long incarnation, final long number) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CommandHeader.LENGTH]);
        CommandHeader.put(buffer, 0, CommandHeader.TEMPLATE_BATCH, new Origin(member, 0, 0, incarnation), number);
        return buffer;
    }

    private List<String> readAll(final int shard) {
        final List<String> all = new ArrayList<>();
        for (List<String> some = read(shard); !some.isEmpty(); some = read(shard)) {
            all.addAll(some);
        }
        return all;
    }

    private static UnsafeBuffer command(final int shard, final long number, final int length) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        CommandHeader.put(buffer, 0, CommandHeader.TEMPLATE_BATCH, new Origin(0, 0, shard, 1), number);
        return buffer;
    }

    private void take(final UnsafeBuffer command, final long timeNs) {
        service.onSessionMessage(null, timeNs, command, 0, command.capacity(), header);
    }

    private List<String> read(final int shard) {
        final List<String> read = new ArrayList<>();
        rings[shard].read(
                (timeNs, buffer, offset, length) ->
                        read.add(CommandHeader.number(buffer, offset) + "@" + timeNs + "+" + length),
                10);
        return read;
    }

    @Test
    void shouldReachItsShardWhenACommand() {
        take(command(1, 5, 48), 77);
        take(command(0, 6, 40), 78);

        assertThat(read(0)).containsExactly("6@78+40");
        assertThat(read(1)).containsExactly("5@77+48");
        assertThat(reports).isEmpty();
    }

    @Test
    void shouldComeAgainWhenTheShardHasNoRoomForIt() {
        take(command(0, 1, 40), 7);
        take(command(0, 2, 40), 8);

        assertThat(rings[0].read((timeNs, buffer, offset, length) -> false, 10)).isZero();
        assertThat(read(0)).containsExactly("1@7+40", "2@8+40");
    }

    @Test
    void shouldBeDroppedWhenForNoShardOrTooShort() {
        take(command(2, 1, 40), 1);
        take(command(-1, 1, 40), 1);
        take(new UnsafeBuffer(new byte[39]), 1);
        take(command(0, 1, LENGTH / 4), 1);

        assertThat(reports).hasSize(4).allMatch(report -> report.startsWith("bad "));
        assertThat(read(0)).isEmpty();
    }

    @Test
    void shouldLeaveBeforeAnythingIsAppliedWhenTheFirstGreetingIsAnother() {
        take(new UnsafeBuffer(Greeting.of(OTHER).command(2, 1)), 1);
        take(command(0, 1, 40), 2);

        assertThat(reports)
                .hasSize(1)
                .first()
                .asString()
                .startsWith("leave cluster: ")
                .contains("member 2");
        assertThat(read(0)).isEmpty();
    }

    @Test
    void shouldGoOnWhenALaterGreetingIsAnother() {
        take(new UnsafeBuffer(Greeting.of(CONFIG).command(1, 1)), 1);
        take(new UnsafeBuffer(Greeting.of(OTHER).command(2, 1)), 1);
        take(command(0, 1, 40), 2);

        assertThat(reports).containsExactly("bad member 2 has other settings: nothing is taken from this start of it");
        assertThat(read(0)).containsExactly("1@2+40");
    }

    /** What it has handed over before it knew may mean something else to the others. */
    @Test
    void shouldTakeNothingFromAStartWhenItsGreetingIsAnother() {
        take(new UnsafeBuffer(Greeting.of(CONFIG).command(1, 1)), 1);
        take(new UnsafeBuffer(Greeting.of(OTHER).command(2, 7)), 1);
        take(of(2, 7, 1), 2);
        take(of(2, 6, 2), 3);
        take(of(1, 7, 3), 4);
        take(new UnsafeBuffer(Greeting.of(CONFIG).command(2, 8)), 1);
        take(of(2, 8, 4), 5);

        assertThat(read(0)).containsExactly("2@3+40", "3@4+40", "4@5+40");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, CommandHeader.MEMBER_MAX + 1, Short.MAX_VALUE})
    void shouldBeDroppedWhenOfNoMember(final int member) {
        take(of(0, 1, 1), 1);
        final UnsafeBuffer strange = of(0, 1, 2);
        strange.putShort(MEMBER_OFFSET, (short) member, ByteOrder.LITTLE_ENDIAN);
        take(strange, 1);

        assertThat(reports).hasSize(1).first().asString().startsWith("bad of no member: ");
        assertThat(read(0)).containsExactly("1@1+40");
    }

    /** The shard had no time either. */
    @Test
    void shouldNotLeaveAtOnceWhenTheProcessStoodStill() {
        stepNs = 100 * STUCK_NS;
        int number = 0;
        while (reports.isEmpty()) {
            take(command(0, ++number, 40), 1);
        }

        assertThat(lookCount).isGreaterThan(10);
    }

    @Test
    void shouldLeaveWhenAShardTakesNothingForLong() {
        int number = 0;
        while (reports.isEmpty()) {
            take(command(0, ++number, 40), 1);
        }

        assertThat(reports)
                .containsExactly("leave cluster: shard 0 has taken nothing for 1000 ms"
                        + " (make room on its disk and start the node again)");
        final int last = number;
        assertThat(last).isLessThanOrEqualTo(LENGTH / 40);
        read(0);
        take(command(0, last + 1, 40), 2);
        assertThat(readAll(0)).noneMatch(each -> each.startsWith(last + "@") || each.startsWith(last + 1 + "@"));
    }

    @Test
    void shouldNotWaitForRoomWhenTheNodeIsClosing() {
        isClosing = true;
        for (int number = 1; number <= LENGTH / 40; number++) {
            take(command(0, number, 40), 1);
        }

        assertThat(read(0)).first().isEqualTo("1@1+40");
    }
}
