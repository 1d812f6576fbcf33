package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;

class LogonThrottleTest {
    private final CachedNanoClock clock = new CachedNanoClock();
    private final LogonThrottle throttle = new LogonThrottle(clock);

    @Test
    void shouldDoubleTheDelayUpToABound() {
        for (int i = 1; i < LogonThrottle.FREE_COUNT; i++) {
            throttle.onRefused("a");
            assertThat(throttle.delayNs("a")).isZero();
        }
        for (final int seconds : new int[] {1, 2, 4, 8, 16, 32, 64, 64, 64}) {
            throttle.onRefused("a");
            assertThat(throttle.delayNs("a")).isEqualTo(TimeUnit.SECONDS.toNanos(seconds));
        }
        assertThat(throttle.delayNs("b")).isZero();
        clock.advance(TimeUnit.SECONDS.toNanos(64));
        assertThat(throttle.delayNs("a")).isZero();
    }

    @Test
    void shouldForgetAfterAWhile() {
        for (int i = 0; i < LogonThrottle.FREE_COUNT; i++) {
            throttle.onRefused("a");
        }
        clock.advance(TimeUnit.MINUTES.toNanos(5) + 1);
        throttle.onRefused("a");

        assertThat(throttle.delayNs("a")).isZero();
    }

    @Test
    void shouldRememberTheWorstWhenThereAreTooManyAddresses() {
        for (int i = 0; i < 20; i++) {
            throttle.onRefused("worst");
        }
        for (int i = 0; i < 6_000; i++) {
            throttle.onRefused("address " + i);
        }

        assertThat(throttle.addressCount()).isEqualTo(4096);
        assertThat(throttle.delayNs("worst")).isEqualTo(TimeUnit.SECONDS.toNanos(64));
    }

    @Test
    void shouldCountAHostAndNotItsPorts() {
        assertThat(LogonThrottle.address("tcp://192.0.2.1:5", false, "ann"))
                .isEqualTo(LogonThrottle.address("tcp://192.0.2.1:6", false, "bob"))
                .isNotEqualTo(LogonThrottle.address("tcp://192.0.2.2:5", false, "ann"));
        assertThat(LogonThrottle.address("tcp://[2001:db8::1]:5", false, ""))
                .isEqualTo(LogonThrottle.address("tcp://[2001:db8::2]:5", false, ""));
        assertThat(LogonThrottle.address("tcp://127.0.0.1:5", true, "ann"))
                .isNotEqualTo(LogonThrottle.address("tcp://127.0.0.1:5", true, "bob"));
    }
}
