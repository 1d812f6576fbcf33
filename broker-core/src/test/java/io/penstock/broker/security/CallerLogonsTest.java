package io.penstock.broker.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.AuthenticationStep.Validity;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.transport.PeerIdentity;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tokens are looked at in turns, so that those of one host that have to wait for an issuer do not take all threads. */
class CallerLogonsTest {
    private static final Logon CALLER =
            new Logon("admin", "", "", "https://192.0.2.1:4711", false, new PeerIdentity(true, List.of(), -1));

    private final ArrayDeque<Runnable> given = new ArrayDeque<>();
    private final LogonTurns turns = new LogonTurns(given::add);
    private final List<String> checked = new ArrayList<>();
    private final CallerLogons logons = new AccessGate(
                    new Authentication(
                            Authenticator.NONE, PlainPasswords.SECURE, List.of(new Tokens()), AnonymousLogon.NONE),
                    Authorizer.ALL,
                    AnonymousAdministration.LOCAL,
                    error -> {
                        throw new AssertionError(error);
                    },
                    AuditTrail.NONE,
                    new LogonThrottle(() -> 0),
                    () -> 0)
            .callerLogons();

    /** Takes each token that begins with good. */
    private static final class Tokens implements AuthenticationMechanism {
        @Override
        public String name() {
            return AccessGate.BEARER;
        }

        @Override
        public AuthenticationExchange begin(final Logon logon) {
            return message -> new String(message, UTF_8).contains("Bearer good")
                    ? new Admitted(new Principal("ann"), new byte[0], Admitted.FOR_EVER, Validity.ALWAYS)
                    : new Refused("no such token");
        }
    }

    private void ask(final String token) {
        logons.inTurn(turns, CALLER, token, () -> {
            assertThat(logons.admitByToken(CALLER, token)).isInstanceOf(Admitted.class);
            checked.add(token);
        });
    }

    @Test
    void shouldLetTokensThatWereTakenPastThoseThatWait() {
        ask("good one");
        given.remove().run();
        for (int i = 0; i < LogonTurns.RUNNING_COUNT_MAX; i++) {
            ask("good slow " + i);
        }
        ask("good two");
        assertThat(given).hasSize(LogonTurns.RUNNING_COUNT_MAX);

        ask("good one");
        assertThat(given).hasSize(LogonTurns.RUNNING_COUNT_MAX + 1);
        given.removeLast().run();
        assertThat(checked).containsExactly("good one", "good one");

        while (!given.isEmpty()) {
            given.remove().run();
        }
        assertThat(checked).containsExactly("good one", "good one", "good slow 0", "good slow 1", "good two");
    }
}
