package io.penstock.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousLogon;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Credentials;
import io.penstock.orb.PenstockBroker;
import io.penstock.orb.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.scram.ScramVerifier;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Users of a file who call the bridge, whichever way: that are there, are not, are disabled, and are changed. */
@Timeout(60)
public abstract class CallerUsersTck {
    @TempDir
    Path folder;

    private Harness harness;
    private PenstockBroker guest;

    /** With the front end. */
    protected abstract BridgeConfig config();

    /** The guests' session. */
    protected abstract PenstockBroker broker(Harness newHarness) throws Exception;

    @BeforeEach
    void start() throws Exception {
        users(user("ann", "secret", false, "trader"), user("bob", "other", false), user("gone", "secret", true));
        final SecurityConfig security = new SecurityConfig(
                        Authenticator.NONE,
                        (principal, action, topic) -> action != Action.PUBLISH
                                || !topic.equals("orders")
                                || principal.roles().contains("trader"),
                        false)
                .withUsers(file().toString())
                .withAnonymous(AnonymousLogon.LOCAL);
        harness = Harness.of(config(), security, "");
        guest = broker(harness);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private Path file() {
        return folder.resolve("users");
    }

    private void users(final User... users) {
        final UsersFile file = UsersFile.empty(file());
        for (final User user : users) {
            file.put(user);
        }
        file.write();
    }

    private static User user(
            final String name, final @Nullable String password, final boolean isDisabled, final String... roles) {
        return new User(
                name,
                isDisabled,
                Set.of(roles),
                Map.of(),
                password == null
                        ? null
                        : Objects.requireNonNull(ScramVerifier.derive(password, ScramVerifier.ITERATIONS_MIN)),
                List.of(),
                Set.of());
    }

    private PenstockBroker logon(final String user, final String password) throws Exception {
        return guest.logon(new Credentials("", user, password));
    }

    private static void publish(final PenstockBroker session) throws Exception {
        session.publish(BridgeFixture.publication("orders", "{\"id\":1}"), false);
    }

    private static BrokerException refusal(final BridgeFixture.Call call) {
        return Objects.requireNonNull(catchThrowableOfType(BrokerException.class, call::run));
    }

    /** Until the bridge has heard that the session is over. */
    private static BrokerException awaitRefusal(final PenstockBroker session) {
        final BrokerException[] refused = new BrokerException[1];
        assertThat(Harness.await(() -> {
                    refused[0] = catchThrowableOfType(BrokerException.class, () -> publish(session));
                    return refused[0] != null;
                }))
                .isTrue();
        return refused[0];
    }

    @Test
    void shouldActAsTheUserWhoseCredentialsTheCallerHas() throws Exception {
        final PenstockBroker ann = logon("ann", "secret");
        final PenstockBroker bob = logon("bob", "other");
        publish(ann);

        assertThat(refusal(() -> publish(bob)).code()).isEqualTo(ErrorCode.NOT_AUTHORIZED.code());
        assertThat(refusal(() -> publish(guest)).code()).isEqualTo(ErrorCode.NOT_AUTHORIZED.code());
        ann.logoff();
        bob.logoff();
    }

    @Test
    void shouldSayTheSameToAllThatAreRefused() throws Exception {
        final Set<String> texts = new HashSet<>();
        for (final String[] wrong : new String[][] {
            {"ann", "other"}, {"bob", ""}, {"nobody", "secret"}, {"gone", "secret"}, {"gone", "wrong"}
        }) {
            final BrokerException refused = refusal(() -> logon(wrong[0], wrong[1]));

            assertThat(refused.code()).as(wrong[0]).isEqualTo(ErrorCode.AUTHENTICATION_FAILED.code());
            assertThat(refused.text()).doesNotContain("secret");
            texts.add(refused.text().replace(wrong[0], "USER"));
        }
        assertThat(texts).hasSize(1);
        assertThat(refusal(() -> logon("", "secret")).code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED.code());
        assertThat(harness.counter(BridgeCounter.SESSIONS_OPEN)).isZero();
        assertThat(guest.echo(new byte[3])).hasSize(3);
    }

    @Test
    void shouldKeepOutWhoeverGuessesAndNobodyElse() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(refusal(() -> logon("ann", "guess")).code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED.code());
        }
        assertThat(refusal(() -> logon("ann", "secret")).code()).isEqualTo(ErrorCode.LIMIT_REACHED.code());

        logon("bob", "other").logoff();
    }

    @Test
    void shouldEndTheSessionOfAUserThatIsDisabledAndOfNoOther() throws Exception {
        final PenstockBroker ann = logon("ann", "secret");
        final PenstockBroker bob = logon("bob", "other");
        final long subscription = ann.subscribe(SubscribeRequest.topic("orders"));
        publish(ann);
        users(user("ann", "secret", true, "trader"), user("bob", "other", false));
        harness.broker().reloadUsers();

        assertThat(awaitRefusal(ann).code())
                .isIn(
                        ErrorCode.SESSION_REVOKED.code(),
                        ErrorCode.NOT_LOGGED_ON.code(),
                        ErrorCode.AUTHENTICATION_FAILED.code());
        assertThat(Harness.await(() -> {
                    final BrokerException refused =
                            catchThrowableOfType(BrokerException.class, () -> ann.next(subscription, 1, 0));
                    return refused != null;
                }))
                .isTrue();
        assertThat(refusal(() -> logon("ann", "secret")).code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED.code());
        bob.subscribe(SubscribeRequest.topic("orders"));
    }

    @Test
    void shouldEndTheSessionOfAUserWithAnotherPassword() throws Exception {
        final PenstockBroker ann = logon("ann", "secret");
        publish(ann);
        users(user("ann", "changed", false, "trader"));
        harness.broker().reloadUsers();

        assertThat(awaitRefusal(ann).code())
                .isIn(
                        ErrorCode.SESSION_REVOKED.code(),
                        ErrorCode.NOT_LOGGED_ON.code(),
                        ErrorCode.AUTHENTICATION_FAILED.code());
        assertThat(refusal(() -> logon("ann", "secret")).code()).isEqualTo(ErrorCode.AUTHENTICATION_FAILED.code());
        publish(logon("ann", "changed"));
    }

    /** Its client logs on again by itself. */
    @Test
    void shouldGoOnWithWhatAUserIsNowWhenItsRolesChange() throws Exception {
        final PenstockBroker ann = logon("ann", "secret");
        final PenstockBroker bob = logon("bob", "other");
        publish(ann);
        users(user("ann", "secret", false), user("bob", "other", false, "trader"));
        harness.broker().reloadUsers();

        assertThat(Harness.await(() -> {
                    final BrokerException refused = catchThrowableOfType(BrokerException.class, () -> publish(ann));
                    return refused != null && refused.code() == ErrorCode.NOT_AUTHORIZED.code();
                }))
                .isTrue();
        assertThat(Harness.await(() -> catchThrowableOfType(BrokerException.class, () -> publish(bob)) == null))
                .isTrue();
    }
}
