package io.penstock.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the agent counts of credit. */
class CreditCountTest {
    /** A message has taken more than there was, and is paid for after the connection was lost. */
    @Test
    void shouldHaveItsDebtOnANewConnection() {
        final Credit credit = new Credit(100);
        credit.begin();
        assertThat(credit.toSend()).isEqualTo(100);
        credit.onSeen(150);
        assertThat(credit.onReceived(150)).isZero();
        credit.end();
        credit.begin();
        assertThat(credit.toSend()).isZero();
        credit.give(30);
        assertThat(credit.toSend()).isZero();
        credit.give(120);
        assertThat(credit.toSend()).isEqualTo(100);
    }

    /** A frame of which the connection was lost before all of it was seen. */
    @Test
    void shouldCountWhatWasReceivedInPart() {
        final Credit credit = new Credit(1000);
        credit.begin();
        assertThat(credit.toSend()).isEqualTo(1000);
        credit.onSeen(100);
        credit.end();
        credit.begin();
        assertThat(credit.toSend()).isEqualTo(900);
        credit.onSeen(100);
        assertThat(credit.onReceived(150)).isEqualTo(50);
        credit.end();
        assertThat(credit.toSend()).isZero();
        credit.begin();
        assertThat(credit.toSend()).isEqualTo(750);
    }

    @Test
    void shouldAskForTheAgentOnceUntilItHasLooked() {
        final Credit credit = new Credit(1);
        credit.begin();
        assertThat(credit.give(1)).isTrue();
        assertThat(credit.give(1)).isFalse();
        assertThat(credit.toSend()).isEqualTo(3);
        assertThat(credit.give(1)).isTrue();
    }
}
