package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that connect and do not log on, beside one that does, on a clock that the test moves. */
@Timeout(60)
class SilentClientsTest {
    private static final int LOGON_TIMEOUT_MS = 500;
    private static final int SILENT_COUNT = 200;

    /** What a duty cycle ends at most. */
    private static final int END_COUNT_MAX = 8;

    private final List<RawClient> silent = new ArrayList<>();

    @Test
    void shouldEndFewInEachCycleWhenTheTimeOfManyIsUp() {
        try (TestBroker test = new TestBroker(builder -> sessions(builder, 1024))) {
            connect(test, SILENT_COUNT);
            final RawClient honest = test.logOn("honest");
            test.clock.advance(TimeUnit.MILLISECONDS.toNanos(2 * LOGON_TIMEOUT_MS));
            int ended = 0;
            for (int i = 0; ended < SILENT_COUNT; i++) {
                assertThat(honest.flush(1000 + i)).isTrue();
                test.cycle();
                assertThat(honest.acks).containsKey(1000L + i);
                final int before = ended;
                ended = (int) silent.stream().filter(each -> each.disconnected).count();
                assertThat(ended - before).isBetween(i == 0 ? 0 : 1, END_COUNT_MAX);
            }
            assertThat(silent).allSatisfy(each -> assertThat(each.fatalErrors).containsExactly(ErrorCode.TIMED_OUT));
            assertThat(honest.disconnected).isFalse();
        }
    }

    @Test
    void shouldEndTheOldestOfAnAddressWhenTooManyOfItHaveNotLoggedOn() {
        try (TestBroker test = new TestBroker(builder -> sessions(builder, 400))) {
            connect(test, 100);
            assertThat(silent).allMatch(each -> each.events.isEmpty());
            connect(test, 1);

            assertThat(silent.get(0).events).containsExactly("error 0 0 LIMIT_REACHED", "disconnected");
            assertThat(silent.get(0).errorTexts)
                    .containsExactly("session: too many connections of clients of this machine have not logged on: 100"
                            + " (log on right after connecting, or raise sessions.sessionCountMax)");
            assertThat(silent.subList(1, 101)).allMatch(each -> each.events.isEmpty());
        }
    }

    @Test
    void shouldLetClientsInWhileSilentOnesComeAndGo() {
        try (TestBroker test = new TestBroker(builder -> sessions(builder, 400))) {
            for (int i = 0; i < 100; i++) {
                connect(test, 10);
                // Those that have logged on do not count.
                assertThat(test.logOn("honest-" + i).fatalErrors).isEmpty();
            }
            // The last of those that logged on has had a place among them, too.
            assertThat(silent.stream().filter(each -> !each.disconnected).count())
                    .isEqualTo(99);
            assertThat(test.broker.counter("sessions")).isEqualTo(100);
            assertThat(test.broker.counter("connections")).isEqualTo(199);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldCountNobodyTwiceWhenSilentClientsDisconnect() {
        try (TestBroker test = new TestBroker(builder -> sessions(builder, 400))) {
            for (int i = 0; i < 5; i++) {
                connect(test, 100);
                silent.forEach(RawClient::close);
                test.settle();
                assertThat(silent).allMatch(each -> each.fatalErrors.isEmpty());
                silent.clear();
            }
        }
    }

    private void connect(final TestBroker test, final int count) {
        for (int i = 0; i < count; i++) {
            silent.add(test.connect());
        }
        test.settle();
    }

    private static BrokerConfig.Builder sessions(final BrokerConfig.Builder builder, final int countMax) {
        return builder.sessions(
                new SessionConfig(countMax, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 3_600_000, LOGON_TIMEOUT_MS));
    }
}
