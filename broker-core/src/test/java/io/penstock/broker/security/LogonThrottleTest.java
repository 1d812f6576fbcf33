package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.LogonThrottle.Guesser;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** Who calls other ports of the process is not of this machine, though its connection to the broker is. */
    @Test
    void shouldNotKeepThisProcessWaitingForThisMachineNorTheOtherWayRound() {
        for (int i = 0; i < LogonThrottle.LOCAL_COUNT; i++) {
            throttle.onRefused(local("user " + i));
        }
        assertThat(throttle.delayNs(local("another"))).isPositive();
        assertThat(throttle.delayNs(ofProcess("another"))).isZero();

        final long intervalNs = TimeUnit.SECONDS.toNanos(1) / LogonThrottle.LOCAL_RATE;
        clock.advance(LogonThrottle.LOCAL_COUNT * intervalNs);
        for (int i = 0; i < LogonThrottle.LOCAL_COUNT; i++) {
            throttle.onRefused(ofProcess("user " + i));
        }
        assertThat(throttle.delayNs(ofProcess("another"))).isEqualTo(intervalNs);
        assertThat(throttle.delayNs(local("another"))).isZero();
    }

    /** Each is known where it has proved itself; guesses for a user slow down that user at both. */
    @Test
    void shouldCountGuessesForAUserByWhicheverOfBothTheyCome() {
        throttle.onProved(local("ann"));
        assertThat(throttle.isProved(ofProcess("ann"))).isFalse();
        for (int i = 0; i < LogonThrottle.FREE_COUNT; i++) {
            throttle.onRefused(ofProcess("ann"));
        }
        assertThat(throttle.delayNs(ofProcess("ann"))).isPositive();
        assertThat(throttle.delayNs(local("ann"))).isPositive();
        assertThat(throttle.delayNs(ofProcess("bob"))).isZero();
    }

    private static Guesser ofProcess(final String user) {
        return Guesser.of("inproc:broker", true, user);
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

    @ParameterizedTest
    @ValueSource(strings = {"tcp://1.2.3.4:6", "tcps://1.2.3.4:5", "https://1.2.3.4", "http://1.2.3.4:80", "1.2.3.4"})
    void shouldCountAHostByWhicheverPortItComes(final String peer) {
        assertThat(Guesser.of(peer, false, "ann")).isEqualTo(Guesser.of("tcp://1.2.3.4:5", false, "ann"));
        assertThat(key(peer, false, "ann")).isNotEqualTo(key("tcp://1.2.3.5:5", false, "ann"));
    }

    /** Soft hyphens, and letters in other forms, are the same to who checks names. */
    @ParameterizedTest
    @ValueSource(strings = {"an\u00adn", "\u00adann\u00ad", "\uff41nn", "an\u200cn"})
    void shouldCountNamesThatAreTheSameAsOne(final String name) {
        assertThat(local(name)).isEqualTo(local("ann")).isNotEqualTo(local("anne"));

        for (int i = 0; i < LogonThrottle.FREE_COUNT; i++) {
            throttle.onRefused(local(i % 2 == 0 ? name : "ann"));
        }
        assertThat(throttle.delayNs(local("ann"))).isPositive();
        assertThat(throttle.delayNs(local(name))).isPositive();
    }

    private static String key(final String peer, final boolean isLocal, final String user) {
        return Guesser.of(peer, isLocal, user).key();
    }
}
