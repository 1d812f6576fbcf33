package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.AccessGate;
import io.penstock.broker.security.AnonymousLogon;
import io.penstock.broker.security.AuthenticationMechanism;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Challenge;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.AuthenticationStep.Validity;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.LogonThrottle;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.scram.ScramClient;
import io.penstock.protocol.scram.ScramKeys;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.transport.PeerIdentity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that prove who they are, frame by frame, to a broker that the test drives. */
@Timeout(60)
class LogonTest {
    private static final String REFUSED = "logon: refused for user '%s' (check user and password)";

    @TempDir
    private Path directory;

    private final List<Event> events = new ArrayList<>();
    private Path users;

    @BeforeEach
    void makeUsers() {
        users = directory.resolve("users");
        final UsersFile file = UsersFile.empty(users);
        file.put(user("ann", false, "secret"));
        file.put(user("gone", true, "secret"));
        file.put(User.named("certain"));
        file.write();
    }

    private static User user(final String name, final boolean isDisabled, final String password) {
        return new User(
                name,
                isDisabled,
                Set.of("trader"),
                Map.of(),
                Objects.requireNonNull(ScramVerifier.derive(password, ScramVerifier.ITERATIONS_MIN)),
                List.of(),
                Set.of());
    }

    private TestBroker broker() {
        return broker(SecurityConfig.defaults().withUsers(users.toString()));
    }

    private TestBroker broker(final SecurityConfig security) {
        return new TestBroker(builder -> builder.security(security).events(events::add));
    }

    @Test
    void shouldLetAUserInWhenItProvesItsPassword() {
        try (TestBroker test = broker()) {
            final RawClient client = test.connect();
            final ScramClient scram = new ScramClient("ann", "secret", ScramKeys.nonce());
            client.logon("x", "ann", "", "SCRAM-SHA-256", scram.first());
            test.await(() -> client.isChallenged());
            client.authResponse("", Objects.requireNonNull(scram.answer(client.challenge())));
            test.await(() -> client.events.contains("logonAck"));

            assertThat(scram.isProved(client.logonToken)).isTrue();
            client.subscribe(2, 7, "t", "");
            test.awaitAck(client, 2);
        }
    }

    @Test
    void shouldSayTheSameToAllThatAreRefused() {
        try (TestBroker test = broker()) {
            for (final String[] guess : new String[][] {
                {"ann", "wrong"}, {"nobody", "secret"}, {"gone", "secret"}, {"gone", "wrong"}, {"certain", "secret"}
            }) {
                final RawClient client = scram(test, guess[0], guess[1]);

                assertThat(client.errorTexts).containsExactly(String.format(REFUSED, guess[0]));
                assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            }
            assertThat(lines(EventKind.LOGON_REFUSED))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("user=ann", "'ann'", ": SCRAM: wrong password"),
                            line -> assertThat(line).contains("user=nobody", "'nobody'", ": SCRAM: no such user"),
                            line -> assertThat(line).contains("'gone'", ": the user is disabled"),
                            line -> assertThat(line).contains("'gone'", ": SCRAM: wrong password"),
                            line -> assertThat(line).contains("'certain'", ": SCRAM: wrong password"));
            assertThat(test.broker.counter("logonsRefused")).isEqualTo(5);
            assertThat(events).noneMatch(event -> event.toString().contains("secret"));
        }
    }

    @Test
    void shouldChallengeUnknownUsersAlwaysAlike() {
        try (TestBroker test = broker()) {
            final String first = saltOf(test, "nobody");

            assertThat(saltOf(test, "nobody")).isEqualTo(first);
            assertThat(saltOf(test, "nobody2")).isNotEqualTo(first);
            assertThat(first).matches("s=[A-Za-z0-9+/]{22}==,i=4096");
            assertThat(saltOf(test, "ann")).matches("s=[A-Za-z0-9+/]{22}==,i=4096");
        }
    }

    @Test
    void shouldTakeAPasswordInClearWhenTheConnectionIsLocal() {
        try (TestBroker test = broker()) {
            final RawClient old = test.connect();
            old.logon("x", "ann", "secret", "", new byte[0]);
            test.await(() -> old.events.contains("logonAck"));
            final RawClient named = test.connect();
            named.logon("y", "ann", "", "PLAIN", "\0ann\0secret".getBytes(UTF_8));
            test.await(() -> named.events.contains("logonAck"));
            for (final String wrong : List.of(
                    "",
                    "ann",
                    "\0ann",
                    "\0ann\0",
                    "\0\0secret",
                    "x\0ann\0secret",
                    "\0ann\0secret\0",
                    "\0ann\0secret ",
                    "\0nobody\0secret",
                    "\0gone\0secret")) {
                final RawClient client = test.connect();
                client.logon("z", "ann", "", "PLAIN", wrong.getBytes(UTF_8));
                test.await(() -> !client.fatalErrors.isEmpty());
                test.clock.advance(TimeUnit.MINUTES.toNanos(10));

                assertThat(client.errorTexts).containsExactly(String.format(REFUSED, "ann"));
            }
        }
    }

    @Test
    void shouldListWhatItOffersWhenAMechanismIsUnknown() {
        try (TestBroker test = broker()) {
            final RawClient client = test.connect();
            client.logon("x", "ann", "", "GSSAPI", new byte[] {1, 2});
            test.await(() -> client.isChallenged());
            assertThat(client.mechanisms).isEqualTo("SCRAM-SHA-256 PLAIN");
            client.authResponse("PLAIN", "\0ann\0secret".getBytes(UTF_8));
            test.await(() -> client.events.contains("logonAck"));

            final RawClient stubborn = test.connect();
            stubborn.logon("y", "ann", "", "GSSAPI", new byte[0]);
            test.await(() -> stubborn.isChallenged());
            for (int i = 0; i < 10 && stubborn.fatalErrors.isEmpty(); i++) {
                stubborn.authResponse("GSSAPI", new byte[0]);
                test.settle();
            }
            assertThat(stubborn.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
        }
    }

    @Test
    void shouldEndASessionThatAnswersOutOfTurn() {
        try (TestBroker test = broker()) {
            final RawClient early = test.connect();
            early.authResponse("", new byte[0]);
            final RawClient late = test.connect();
            late.logon("x", "ann", "secret", "", new byte[0]);
            test.await(() -> late.events.contains("logonAck"));
            late.authResponse("", new byte[0]);
            final RawClient twice = test.connect();
            twice.logon("y", "ann", "", "SCRAM-SHA-256", new ScramClient("ann", "x", "abc").first());
            twice.logon("y", "ann", "", "SCRAM-SHA-256", new ScramClient("ann", "x", "abc").first());
            final RawClient renamed = test.connect();
            renamed.logon("z", "ann", "", "SCRAM-SHA-256", new ScramClient("ann", "x", "abc").first());
            test.await(() -> renamed.isChallenged());
            renamed.authResponse("PLAIN", "\0ann\0secret".getBytes(UTF_8));
            final RawClient eager = test.connect();
            eager.logon("w", "ann", "", "SCRAM-SHA-256", new ScramClient("ann", "x", "abc").first());
            eager.subscribe(2, 7, "t", "");
            test.settle();

            for (final RawClient client : List.of(early, late, twice, renamed, eager)) {
                assertThat(client.fatalErrors).containsExactly(ErrorCode.NOT_LOGGED_ON);
            }
        }
    }

    @Test
    void shouldNotLetAnotherUserStandInTheMessage() {
        try (TestBroker test = broker()) {
            final RawClient client = test.connect();
            client.logon("x", "ann", "", "SCRAM-SHA-256", new ScramClient("gone", "x", "abc").first());
            test.await(() -> !client.fatalErrors.isEmpty());

            assertThat(client.errorTexts).containsExactly(String.format(REFUSED, "ann"));
        }
    }

    /** Guesses count for the user that a log-on names, and of this machine for nobody when it names none. */
    @Test
    void shouldNotLetAnotherUserStandInTheMessageForAnAuthenticator() {
        final Authenticator onePassword =
                logon -> logon.password().equals("secret") ? new Principal(logon.user()) : null;
        try (TestBroker test = broker(new SecurityConfig(onePassword, Authorizer.ALL, false))) {
            for (final String named : List.of("", "bob")) {
                final RawClient client = test.connect();
                client.logon("x", named, "", "PLAIN", "\0ann\0secret".getBytes(UTF_8));
                test.await(() -> !client.fatalErrors.isEmpty());
                assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            }
            final RawClient client = test.connect();
            client.logon("x", "ann", "", "PLAIN", "\0ann\0secret".getBytes(UTF_8));
            test.await(() -> client.events.contains("logonAck"));
        }
    }

    /** A worker may have asked the permissions from before. */
    @Test
    void shouldRefuseAUserThatMayNotConnectAnyMoreWhenItHasProvedItself() {
        final AtomicReference<TestBroker> started = new AtomicReference<>();
        final Validity untilItIsAsked = () -> {
            started.get().broker.permissions(Permissions.of(List.of()));
            return true;
        };
        final AuthenticationMechanism badge =
                badge(new Admitted(new Principal("eve"), new byte[0], Admitted.FOR_EVER, untilItIsAsked));
        try (TestBroker test = broker(SecurityConfig.defaults().withMechanisms(List.of(badge)))) {
            started.set(test);
            final RawClient client = test.connect();
            client.logon("", "", "", "BADGE", new byte[0]);
            test.settle();

            assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
        }
    }

    @Test
    void shouldRefuseAnonymousClientsWhenItHasUsers() {
        try (TestBroker test = broker()) {
            final RawClient client = test.connect();
            client.logon("x");
            test.settle();

            assertThat(client.errorTexts)
                    .containsExactly("logon: a client without a user is refused (log on as a user)");
        }
        try (TestBroker test =
                broker(SecurityConfig.defaults().withUsers(users.toString()).withAnonymous(AnonymousLogon.LOCAL))) {
            test.logOn("x");
        }
        try (TestBroker test = broker(SecurityConfig.defaults().withAnonymous(AnonymousLogon.NONE))) {
            final RawClient client = test.connect();
            client.logon("x");
            test.settle();

            assertThat(client.errorTexts)
                    .containsExactly("logon: anonymous clients are refused (see security.anonymous)");
        }
    }

    @Test
    void shouldLetAnAddressWaitLongerAndLongerWhenItGuesses() {
        try (TestBroker test = broker()) {
            for (int i = 0; i < 5; i++) {
                assertThat(scram(test, "ann", "guess " + i).fatalErrors)
                        .containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            }
            final RawClient right = scram(test, "ann", "secret");
            assertThat(right.errorTexts)
                    .containsExactly("logon: too many failed ones from this address (try again in 1 s)");
            assertThat(right.fatalErrors).containsExactly(ErrorCode.LIMIT_REACHED);
            // One that guesses for one user keeps no other user of this machine out.
            assertThat(scram(test, "gone", "x").fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);

            test.clock.advance(TimeUnit.MILLISECONDS.toNanos(1_001));
            assertThat(scram(test, "ann", "guess").fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            test.clock.advance(TimeUnit.MILLISECONDS.toNanos(1_001));
            assertThat(scram(test, "ann", "secret").fatalErrors).containsExactly(ErrorCode.LIMIT_REACHED);
            test.clock.advance(TimeUnit.MILLISECONDS.toNanos(1_001));
            assertThat(scram(test, "ann", "secret").events).contains("logonAck");
        }
    }

    @Test
    void shouldEndTheSessionsOfUsersThatHaveChanged() {
        final UsersFile file = UsersFile.read(users);
        file.put(user("bob", false, "secret"));
        file.put(user("carol", false, "secret"));
        file.write();
        try (TestBroker test = broker()) {
            final RawClient ann = scram(test, "ann", "secret");
            final RawClient bob = scram(test, "bob", "secret");
            final RawClient carol = scram(test, "carol", "secret");
            file.put(user("ann", false, "other"));
            file.remove("bob");
            file.write();
            test.settle();
            assertThat(ann.fatalErrors).isEmpty();

            assertThat(test.broker.reloadUsers()).isTrue();
            test.settle();

            assertThat(ann.fatalErrors).containsExactly(ErrorCode.SESSION_REVOKED);
            assertThat(ann.errorTexts)
                    .containsExactly("session: user ann was changed, disabled or removed (log on again)");
            assertThat(bob.fatalErrors).containsExactly(ErrorCode.SESSION_REVOKED);
            assertThat(carol.fatalErrors).isEmpty();
            assertThat(scram(test, "ann", "other").events).contains("logonAck");
            assertThat(scram(test, "bob", "secret").fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
        }
    }

    @Test
    void shouldRefuseAUserThatChangesWhileItLogsOn() {
        try (TestBroker test = broker()) {
            final RawClient client = test.connect();
            final ScramClient scram = new ScramClient("ann", "secret", ScramKeys.nonce());
            client.logon("x", "ann", "", "SCRAM-SHA-256", scram.first());
            test.await(() -> client.isChallenged());
            final UsersFile file = UsersFile.read(users);
            file.put(user("ann", true, "secret"));
            file.write();
            test.broker.reloadUsers();
            client.authResponse("", Objects.requireNonNull(scram.answer(client.challenge())));
            test.settle();

            assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
        }
    }

    @Test
    void shouldEndAClientThatActsForAUserWithTheUser() {
        try (TestBroker test = broker()) {
            final AccessGate gate = test.broker.gate();
            final String name = "admin-0123456789abcdef0123456789abcdef";
            assertThat(gate.expected().expect(name, Objects.requireNonNull(gate.admit(logon("ann", "secret", true)))))
                    .isTrue();
            final RawClient tail = test.logOn(name);
            assertThat(tail.events).contains("logonAck");

            final UsersFile file = UsersFile.read(users);
            file.put(user("ann", true, "secret"));
            file.write();
            test.broker.reloadUsers();
            test.settle();

            assertThat(tail.fatalErrors).containsExactly(ErrorCode.SESSION_REVOKED);
        }
    }

    @Test
    void shouldKeepUsersAsTheyWereWhenTheFileIsWrong() throws java.io.IOException {
        try (TestBroker test = broker()) {
            final RawClient ann = scram(test, "ann", "secret");
            java.nio.file.Files.writeString(users, "penstock-users 1\nuser ann colour=red\n");

            assertThatThrownBy(test.broker::reloadUsers).hasMessageContaining(users + ":2: no such word: 'colour'");
            test.settle();

            assertThat(ann.fatalErrors).isEmpty();
            assertThat(scram(test, "ann", "secret").events).contains("logonAck");
        }
    }

    @Test
    void shouldEndALogonThatTakesTooLong() {
        try (TestBroker test = broker()) {
            final RawClient client = test.connect();
            client.logon("x", "ann", "", "SCRAM-SHA-256", new ScramClient("ann", "x", "abc").first());
            test.await(() -> client.isChallenged());
            test.advance(300);
            client.heartbeat();
            test.advance(600);

            assertThat(client.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
            assertThat(client.errorTexts.get(0)).startsWith("session: no logon for too long");
        }
    }

    @Test
    void shouldAskOtherMechanismsAsOftenAsTheyLike() {
        final AuthenticationMechanism counting = new AuthenticationMechanism() {
            @Override
            public String name() {
                return "COUNT";
            }

            @Override
            public io.penstock.broker.security.AuthenticationExchange begin(final Logon logon) {
                final int[] count = new int[1];
                return message -> switch (new String(message, UTF_8)) {
                    case "fail" -> throw new IllegalStateException("the directory does not answer");
                    case "no" -> new Refused("no");
                    case "anonymous" -> new Admitted(Principal.ANONYMOUS);
                    case "short" ->
                        new Admitted(
                                new Principal("eve"),
                                new byte[] {9},
                                TimeUnit.MILLISECONDS.toNanos(2_000),
                                Validity.ALWAYS);
                    default -> new Challenge(new byte[] {(byte) ++count[0]});
                };
            }
        };
        try (TestBroker test = broker(SecurityConfig.defaults().withMechanisms(List.of(counting)))) {
            final RawClient endless = test.connect();
            endless.logon("x", "", "", "COUNT", new byte[0]);
            for (int i = 1; endless.fatalErrors.isEmpty(); i++) {
                final int expected = i;
                test.await(() -> endless.isChallenged() && endless.challenge()[0] == expected);
                assertThat(i).isLessThanOrEqualTo(8);
                endless.authResponse("", new byte[0]);
                test.settle();
            }
            assertThat(endless.errorTexts)
                    .containsExactly("logon: refused by COUNT (check what the client proves itself with)");
            for (final String wrong : List.of("fail", "no", "anonymous")) {
                final RawClient client = test.connect();
                client.logon("x", "", "", "COUNT", wrong.getBytes(UTF_8));
                test.settle();
                assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
                test.clock.advance(TimeUnit.MINUTES.toNanos(10));
            }
            final RawClient brief = test.connect();
            brief.logon("", "", "", "COUNT", "short".getBytes(UTF_8));
            test.await(() -> brief.events.contains("logonAck"));
            assertThat(brief.logonToken).containsExactly(9);
            test.advance(1_900);
            assertThat(brief.fatalErrors).isEmpty();
            test.advance(400);
            assertThat(brief.fatalErrors).containsExactly(ErrorCode.SESSION_REVOKED);
            assertThat(test.takeErrors()).singleElement().asString().contains("the directory does not answer");
        }
    }

    @Test
    void shouldPassTheSameGateWhenACallerHasItsOwnThread() {
        try (TestBroker test = broker()) {
            assertThat(Objects.requireNonNull(test.broker.gate().admit(logon("ann", "secret", true)))
                            .principal())
                    .isEqualTo(new Principal("ann", Set.of("trader"), Map.of()));
            assertThat(test.broker.gate().admit(logon("ann", "wrong", true))).isNull();
            assertThat(test.broker.gate().admit(logon("ann", "secret", false))).isNull();
            assertThat(test.broker.gate().admit(logon("gone", "secret", true))).isNull();
            assertThat(test.broker.gate().admit(logon("", "", true))).isNull();
        }
    }

    @Test
    void shouldSlowDownGuessingWhenACallerHasItsOwnThread() {
        try (TestBroker test = broker()) {
            final AccessGate gate = test.broker.gate();
            for (int i = 0; i <= LogonThrottle.FREE_COUNT; i++) {
                assertThat(gate.admit(logon("ann", "wrong", true))).isNull();
            }
            assertThat(gate.admit(logon("ann", "secret", true))).isNull();
            test.clock.advance(TimeUnit.MINUTES.toNanos(10));
            assertThat(gate.admit(logon("ann", "secret", true))).isNotNull();
        }
    }

    @Test
    void shouldBoundGuessesByAnyNamesOfThisMachineAndLetInWhoIsKnown() {
        final UsersFile file = UsersFile.read(users);
        file.put(user("bob", false, "secret"));
        file.write();
        try (TestBroker test = broker()) {
            final AccessGate gate = test.broker.gate();
            assertThat(gate.admit(logon("ann", "secret", true))).isNotNull();
            for (int i = 0; i < LogonThrottle.LOCAL_COUNT; i++) {
                assertThat(gate.admit(logon("nobody" + i, "wrong", true))).isNull();
            }
            // No longer than others: a log-on that was never proved is not told apart.
            assertThat(gate.admit(logon("bob", "secret", true))).isNull();
            assertThat(gate.admit(logon("ann", "secret", true))).isNotNull();
            test.clock.advance(TimeUnit.MINUTES.toNanos(1));
            assertThat(gate.admit(logon("bob", "secret", true))).isNotNull();
        }
    }

    /** Behind clients of the process are callers of its other ports, wherever they are. */
    @Test
    void shouldNotKeepClientsOfTheProcessOutForGuessesOfThisMachine() {
        try (TestBroker test = broker()) {
            final AccessGate gate = test.broker.gate();
            for (int i = 0; i < LogonThrottle.LOCAL_COUNT; i++) {
                assertThat(gate.admit(logon("nobody" + i, "wrong", true))).isNull();
            }
            assertThat(gate.admit(logon("ann", "secret", true))).isNull();

            assertThat(scram(test, "ann", "secret").events).contains("logonAck");
        }
    }

    @Test
    void shouldNotKeepThisMachineOutForGuessesOfClientsOfTheProcess() {
        try (TestBroker test = broker()) {
            final AccessGate gate = test.broker.gate();
            final RawClient last = test.connect();
            for (int i = 0; i < LogonThrottle.LOCAL_COUNT; i++) {
                final Logon guess = new Logon("", "nobody" + i, "wrong", "inproc:guesser", true, PeerIdentity.UNKNOWN);
                assertThat(gate.admit(guess)).isNull();
            }
            last.logon("", "bob", "", "PLAIN", new byte[0]);
            test.await(() -> !last.fatalErrors.isEmpty());
            assertThat(last.fatalErrors).containsExactly(ErrorCode.LIMIT_REACHED);

            assertThat(gate.admit(logon("ann", "secret", true))).isNotNull();
        }
    }

    @Test
    void shouldNotKeepThoseOutForGuessesWhoNameNoUser() {
        final AuthenticationMechanism badge = badge(new Admitted(new Principal("eve")));
        try (TestBroker test =
                broker(SecurityConfig.defaults().withUsers(users.toString()).withMechanisms(List.of(badge)))) {
            for (int i = 0; i < LogonThrottle.LOCAL_COUNT; i++) {
                assertThat(scram(test, "nobody" + i, "wrong").fatalErrors)
                        .containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            }
            assertThat(scram(test, "ann", "secret").fatalErrors).containsExactly(ErrorCode.LIMIT_REACHED);

            final RawClient client = test.connect();
            client.logon("", "", "", "BADGE", new byte[0]);
            test.await(() -> client.events.contains("logonAck"));
        }
    }

    /** Lets whoever names it in. */
    private static AuthenticationMechanism badge(final Admitted admitted) {
        return new AuthenticationMechanism() {
            @Override
            public String name() {
                return "BADGE";
            }

            @Override
            public io.penstock.broker.security.AuthenticationExchange begin(final Logon logon) {
                return message -> admitted;
            }
        };
    }

    private static Logon logon(final String user, final String password, final boolean isLocal) {
        return new Logon("", user, password, "tcp://192.0.2.1:99", isLocal, PeerIdentity.UNKNOWN);
    }

    private static RawClient scram(final TestBroker test, final String user, final String password) {
        final RawClient client = test.connect();
        final ScramClient scram = new ScramClient(user, password, ScramKeys.nonce());
        client.logon("", user, "", "SCRAM-SHA-256", scram.first());
        test.await(() -> client.isChallenged() || !client.fatalErrors.isEmpty());
        if (client.isChallenged()) {
            client.authResponse("", Objects.requireNonNull(scram.answer(client.challenge())));
            test.await(() -> client.events.contains("logonAck") || !client.fatalErrors.isEmpty());
        }
        return client;
    }

    private static String saltOf(final TestBroker test, final String user) {
        final RawClient client = test.connect();
        client.logon("", user, "", "SCRAM-SHA-256", new ScramClient(user, "x", ScramKeys.nonce()).first());
        test.await(() -> client.isChallenged());
        final String challenge = new String(client.challenge(), UTF_8);
        return challenge.substring(challenge.indexOf("s="));
    }

    private List<String> lines(final EventKind kind) {
        return events.stream()
                .filter(event -> event.kind() == kind)
                .map(Event::toString)
                .toList();
    }
}
