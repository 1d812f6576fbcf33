package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdleWatchTest {
    private final AtomicLong nowNs = new AtomicLong(-50);

    @Test
    void shouldBeIdleOnlyAfterTheWholeIntervalWhenMessagesCameMeanwhile() {
        final IdleWatch idle = new IdleWatch(nowNs::get, 100);
        assertThat(idle.leftNs()).isEqualTo(100);

        nowNs.addAndGet(60);
        idle.onMessage();
        nowNs.addAndGet(60);

        assertThat(idle.takeIdleNs()).isZero();
        assertThat(idle.leftNs()).isEqualTo(40);
        nowNs.addAndGet(40);
        assertThat(idle.takeIdleNs()).isEqualTo(100);
    }

    @Test
    void shouldSayItAgainAfterEachIntervalWhenNothingComes() {
        final IdleWatch idle = new IdleWatch(nowNs::get, 100);
        nowNs.addAndGet(130);
        assertThat(idle.takeIdleNs()).isEqualTo(130);
        assertThat(idle.takeIdleNs()).isZero();
        nowNs.addAndGet(99);
        assertThat(idle.takeIdleNs()).isZero();
        nowNs.addAndGet(1);
        assertThat(idle.takeIdleNs()).isEqualTo(230);
    }

    @Test
    void shouldNeverBeIdleWhenThereIsNoInterval() {
        final IdleWatch idle = new IdleWatch(nowNs::get, 0);
        nowNs.addAndGet(Long.MAX_VALUE / 2);
        assertThat(idle.leftNs()).isEqualTo(Long.MAX_VALUE);
        assertThat(idle.takeIdleNs()).isZero();
    }
}
