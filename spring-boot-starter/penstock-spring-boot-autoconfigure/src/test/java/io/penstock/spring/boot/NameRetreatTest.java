package io.penstock.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NameRetreatTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final NameRetreat retreat = new NameRetreat(Duration.ofSeconds(10));
    private long nowNs = 1;

    private long replacedAfter(final long connectedS) {
        retreat.onConnected(nowNs);
        nowNs += connectedS * SECOND_NS;
        retreat.onReplaced(nowNs);
        return retreat.leftNs(nowNs) / SECOND_NS;
    }

    @Test
    void shouldWaitLongerEachTimeWhenTheNameIsTakenAgainAndAgain() {
        assertThat(retreat.leftNs(nowNs)).isZero();
        assertThat(replacedAfter(1)).isEqualTo(10);
        assertThat(retreat.isFirst()).isTrue();
        assertThat(replacedAfter(10)).isEqualTo(20);
        assertThat(retreat.isFirst()).isFalse();
        assertThat(replacedAfter(20)).isEqualTo(40);
        assertThat(replacedAfter(40)).isEqualTo(80);
        assertThat(replacedAfter(80)).isEqualTo(160);
        assertThat(replacedAfter(160)).isEqualTo(300);
        assertThat(replacedAfter(300)).isEqualTo(300);
    }

    @Test
    void shouldBeginAnewWhenTheNameWasItsOwnForLong() {
        assertThat(replacedAfter(1)).isEqualTo(10);
        assertThat(replacedAfter(1)).isEqualTo(20);
        assertThat(replacedAfter(601)).isEqualTo(10);
        assertThat(retreat.isFirst()).isTrue();
    }

    @Test
    void shouldBeOverWhenItsTimeHasPassed() {
        assertThat(replacedAfter(1)).isEqualTo(10);
        assertThat(retreat.leftNs(nowNs + 4 * SECOND_NS)).isEqualTo(6 * SECOND_NS);
        assertThat(retreat.leftNs(nowNs + 10 * SECOND_NS)).isZero();
    }
}
