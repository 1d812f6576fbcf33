package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.LogonThrottle.Guesser;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;

class LogonThrottleTest {
    private final CachedNanoClock clock = new CachedNanoClock();
    private final LogonThrottle throttle = new LogonThrottle(clock);

    @Test
    void shouldDoubleTheDelayUpToABound() {
        for (int i = 1; i < LogonThrottle.FREE_COUNT; i++) {
            refuse("a");
            assertThat(throttle.delayNs(who("a"))).isZero();
        }
        for (final int seconds : new int[] {1, 2, 4, 8, 16, 32, 64, 64, 64}) {
            refuse("a");
            assertThat(throttle.delayNs(who("a"))).isEqualTo(TimeUnit.SECONDS.toNanos(seconds));
        }
        assertThat(throttle.delayNs(who("b"))).isZero();
        clock.advance(TimeUnit.SECONDS.toNanos(64));
        assertThat(throttle.delayNs(who("a"))).isZero();
    }

    @Test
    void shouldForgetAfterAWhile() {
        for (int i = 0; i < LogonThrottle.FREE_COUNT; i++) {
            refuse("a");
        }
        clock.advance(TimeUnit.MINUTES.toNanos(5) + 1);
        refuse("a");

        assertThat(throttle.delayNs(who("a"))).isZero();
    }

    @Test
    void shouldKeepWhatItRemembersAndCountOthersAsOneWhenThereAreTooMany() {
        for (int i = 0; i < 20; i++) {
            refuse("worst");
        }
        for (int i = 0; i < 6_000; i++) {
            refuse("address " + i);
        }

        assertThat(throttle.guesserCount()).isEqualTo(4096);
        assertThat(throttle.delayNs(who("worst"))).isEqualTo(TimeUnit.SECONDS.toNanos(64));
        assertThat(throttle.delayNs(who("new"))).isEqualTo(TimeUnit.SECONDS.toNanos(1));
        // Its block is over, but not what is known of it.
        clock.advance(TimeUnit.SECONDS.toNanos(65));
        refuse("new");
        refuse("worst");
        assertThat(throttle.delayNs(who("worst"))).isEqualTo(TimeUnit.SECONDS.toNanos(64));

        clock.advance(TimeUnit.MINUTES.toNanos(5) + 1);
        refuse("new");
        assertThat(throttle.guesserCount()).isEqualTo(1);
    }

    @Test
    void shouldBoundWhatThisMachineGuessesWhateverTheNames() {
        for (int i = 0; i < LogonThrottle.LOCAL_COUNT; i++) {
            final Guesser next = local("user " + i);
            assertThat(throttle.delayNs(next)).isZero();
            throttle.onRefused(next);
        }
        final long intervalNs = TimeUnit.SECONDS.toNanos(1) / LogonThrottle.LOCAL_RATE;
        assertThat(throttle.delayNs(local("another"))).isEqualTo(intervalNs);
        assertThat(throttle.delayNs(who("elsewhere"))).isZero();

        clock.advance(intervalNs);
        assertThat(throttle.delayNs(local("another"))).isZero();
        throttle.onRefused(local("another"));
        assertThat(throttle.delayNs(local("yet another"))).isEqualTo(intervalNs);
    }

    @Test
    void shouldLetInWhoHasProvedItselfWhileOthersGuess() {
        throttle.onProved(local("ann"));
        for (int i = 0; i < 10_000; i++) {
            throttle.onRefused(local("user " + i));
        }
        assertThat(throttle.delayNs(local("bob"))).isPositive();
        assertThat(throttle.delayNs(local("ann"))).isZero();

        // Guesses for it are counted all the same, but not for others.
        for (int i = 0; i < LogonThrottle.FREE_COUNT; i++) {
            throttle.onRefused(local("ann"));
        }
        assertThat(throttle.delayNs(local("ann"))).isPositive();
    }

    private void refuse(final String host) {
        throttle.onRefused(who(host));
    }

    private static Guesser who(final String host) {
        return Guesser.of(host, false, "");
    }

    private static Guesser local(final String user) {
        return Guesser.of("tcp://127.0.0.1:5", true, user);
    }

    @Test
    void shouldCountAHostAndNotItsPorts() {
        assertThat(key("tcp://192.0.2.1:5", false, "ann"))
                .isEqualTo(key("tcp://192.0.2.1:6", false, "bob"))
                .isNotEqualTo(key("tcp://192.0.2.2:5", false, "ann"));
        assertThat(key("tcp://[2001:db8::1]:5", false, "")).isEqualTo(key("tcp://[2001:db8::2]:5", false, ""));
        assertThat(key("tcp://127.0.0.1:5", true, "ann")).isNotEqualTo(key("tcp://127.0.0.1:5", true, "bob"));
    }

    private static String key(final String peer, final boolean isLocal, final String user) {
        return Guesser.of(peer, isLocal, user).key();
    }
}
