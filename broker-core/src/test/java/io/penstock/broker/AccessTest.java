package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.RawInbox.Delivery;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Principal;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may do what: nothing forbidden is done, reported or delivered. */
class AccessTest {
    private static final Authenticator BY_USER =
            logon -> logon.user().equals("intruder") ? null : new Principal(logon.user());

    /** Guests may do everything but touch topics that start with secret, create any, or ask about the broker. */
    private static final Authorizer GUEST_RULES =
            (principal, action, topic) -> !principal.name().equals("guest")
                    || switch (action) {
                        case CONNECT, SUBSCRIBE_PATTERN, LIST_TOPICS -> true;
                        case PUBLISH, DELTA, SUBSCRIBE, QUERY, REPLAY, DELETE, DELIVER -> !topic.startsWith("secret");
                        case CREATE_TOPIC, STAT, RESET_PUBLISHER, DELETE_TOPIC, ADMIN_READ, ADMIN_WRITE -> false;
                    };

    @Test
    void shouldCloseWhenAuthenticationFails() {
        try (TestBroker test = guarded(GUEST_RULES, 1)) {
            final RawClient intruder = test.connect();
            intruder.logon("x", "intruder", 0);
            intruder.subscribe(2, 7, "t", "");
            test.settle();

            assertThat(intruder.events).containsExactly("error 1 0 AUTHENTICATION_FAILED", "disconnected");
            assertThat(intruder.errorTexts.get(0)).contains("intruder").doesNotContain("password '");
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldCloseWhenThePrincipalMayNotConnect() {
        try (TestBroker test = guarded((principal, action, topic) -> action != Action.CONNECT, 1)) {
            final RawClient client = test.connect();
            client.logon("x", "user", 0);
            test.settle();

            assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldRefuseWhatIsForbidden() {
        try (TestBroker test = guarded(GUEST_RULES, 1)) {
            final RawClient admin = logOn(test, "admin");
            admin.declareTopic(2, "open", "json");
            admin.declareTopic(3, "secret", "json");
            test.settle();
            final RawClient guest = logOn(test, "guest");
            guest.publish(2, "open", "{}");
            guest.publish(3, "secret", "{}");
            guest.publish(4, "new", "{}");
            guest.declareTopic(5, "new", "json");
            guest.subscribe(6, 7, "secret", "");
            guest.stat(7, "");
            guest.subscribe(8, 8, "secret-not-yet-there", "");
            test.settle();

            assertThat(guest.events)
                    .containsExactlyInAnyOrder(
                            "logonAck",
                            "ack 2 PROCESSED",
                            "error 3 0 NOT_AUTHORIZED",
                            "error 4 0 NOT_AUTHORIZED",
                            "error 5 0 NOT_AUTHORIZED",
                            "error 6 7 NOT_AUTHORIZED",
                            "error 7 0 NOT_AUTHORIZED",
                            "error 8 8 NOT_AUTHORIZED");
            assertThat(guest.stats).isEmpty();
            assertThat(test.broker.counter("messages")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldDeliverNothingOfAForbiddenTopicWhenAPatternMatchesIt(final int shardCount) {
        try (TestBroker test = guarded(GUEST_RULES, shardCount)) {
            final RawClient guest = logOn(test, "guest");
            guest.subscribe(2, 7, ".*", "", true);
            test.awaitAck(guest, 2);
            final RawClient admin = logOn(test, "admin");
            admin.subscribe(2, 7, ".*", "", true);
            test.awaitAck(admin, 2);
            final List<String> allowed = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                final String topic = (i % 3 == 0 ? "secret-" : "open-") + i % 7;
                final String text = "{\"n\":" + i + "}";
                test.publish(admin, topic, text);
                if (topic.startsWith("open")) {
                    allowed.add(text);
                }
                if (i % 10 == 0) {
                    test.settle();
                }
            }
            test.settle();

            assertThat(admin.deliveries).hasSize(200);
            assertThat(guest.deliveries).extracting(Delivery::text).containsExactlyInAnyOrderElementsOf(allowed);
            assertThat(guest.topicFormats.keySet()).noneMatch(name -> name.startsWith("secret"));
        }
    }

    @Test
    void shouldLeaveForbiddenTopicsOutOfTheList() {
        try (TestBroker test = guarded(GUEST_RULES, 3)) {
            final RawClient admin = logOn(test, "admin");
            for (final String topic : List.of("secret-1", "open-1", "open-2", "secret-2", "other")) {
                admin.declareTopic(2, topic, "json");
            }
            test.settle();
            final RawClient guest = logOn(test, "guest");
            guest.topics(2, "");
            test.awaitAck(guest, 2);

            assertThat(guest.topicFormats).containsOnlyKeys("open-1", "open-2", "other");
            guest.topicFormats.clear();
            guest.topics(3, "open-");
            test.awaitAck(guest, 3);
            assertThat(guest.topicFormats).containsOnlyKeys("open-1", "open-2");
        }
    }

    @Test
    void shouldRefuseListsWhenForbidden() {
        try (TestBroker test = guarded((principal, action, topic) -> action != Action.LIST_TOPICS, 1)) {
            final RawClient client = logOn(test, "user");
            client.topics(2, "");
            client.stat(3, "broker");
            test.settle();

            assertThat(client.events).containsExactly("logonAck", "error 2 0 NOT_AUTHORIZED", "ack 3 COMPLETED");
        }
    }

    @Test
    void shouldRefusePatternWhenForbidden() {
        try (TestBroker test = guarded((principal, action, topic) -> action != Action.SUBSCRIBE_PATTERN, 1)) {
            final RawClient client = logOn(test, "user");
            client.subscribe(2, 7, "t", "", true);
            client.subscribe(3, 8, "t", "", false);
            test.settle();

            assertThat(client.events).containsExactly("logonAck", "error 2 7 NOT_AUTHORIZED", "ack 3 PROCESSED");
        }
    }

    @Test
    void shouldRefuseWhenTheAuthorizerFails() {
        try (TestBroker test = guarded(
                (principal, action, topic) -> {
                    if (topic.equals("broken")) {
                        throw new IllegalStateException("the directory does not answer");
                    }
                    return true;
                },
                1)) {
            final RawClient client = logOn(test, "user");
            client.publish(2, "broken", "{}");
            client.subscribe(3, 7, "broken", "");
            client.publish(4, "t", "{}");
            test.settle();

            // Otherwise the last acknowledgement would stand for the message that was lost.
            assertThat(client.events)
                    .containsExactly(
                            "logonAck", "error 2 0 NOT_AUTHORIZED", "error 3 7 NOT_AUTHORIZED", "ack 4 PROCESSED");
            assertThat(test.takeErrors())
                    .isNotEmpty()
                    .allSatisfy(error -> assertThat(error).contains("the directory does not answer"));
        }
    }

    @Test
    void shouldRefuseLogonWhenTheAuthenticatorFails() {
        try (TestBroker test = new TestBroker(builder -> builder.security(new SecurityConfig(
                logon -> {
                    throw new IllegalStateException("the directory does not answer");
                },
                Authorizer.ALL,
                false)))) {
            final RawClient client = test.connect();
            client.logon("x", "user", 0);
            test.settle();

            assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            assertThat(test.takeErrors()).hasSize(1);
        }
    }

    @Test
    void shouldRefuseAUserWhenTheBrokerHasNone() {
        try (TestBroker test = new TestBroker()) {
            final RawClient client = test.connect();
            client.logon("x", "ann", 0);
            test.settle();

            assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            assertThat(client.errorTexts)
                    .containsExactly(
                            "logon: the broker knows no user 'ann': it has none (log on without one, or see security.users)");
            for (final String nobody : List.of("", "anonymous")) {
                final RawClient other = test.connect();
                other.logon("y", nobody, 0);
                test.await(() -> other.events.contains("logonAck"));
            }
        }
    }

    @Test
    void shouldRefuseAUserThatIsNotOneOfItsOwn() {
        final var some = new SecurityConfig(
                logon -> logon.user().equals("bob") ? new Principal("bob") : Principal.ANONYMOUS,
                Authorizer.ALL,
                false);
        try (TestBroker test = new TestBroker(builder -> builder.security(some))) {
            final RawClient known = test.connect();
            known.logon("x", "bob", 0);
            test.await(() -> known.events.contains("logonAck"));
            final RawClient client = test.connect();
            client.logon("y", "ann", 0);
            test.settle();

            assertThat(client.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            assertThat(client.errorTexts).containsExactly("logon: refused for user 'ann' (check user and password)");
        }
    }

    @Test
    void shouldRefuseLogonWhenTheUserIsTooLong() {
        try (TestBroker test = guarded(Authorizer.ALL, 1)) {
            final RawClient client = test.connect();
            client.logon("x", "u".repeat(256), 0);
            test.settle();

            assertThat(client.fatalErrors).containsExactly(ErrorCode.BAD_TEXT);
        }
    }

    private static RawClient logOn(final TestBroker test, final String user) {
        final RawClient client = test.connect();
        client.logon("", user, 0);
        test.await(() -> client.events.contains("logonAck"));
        return client;
    }

    private static TestBroker guarded(final Authorizer authorizer, final int shardCount) {
        return new TestBroker(
                builder -> builder.shardCount(shardCount).security(new SecurityConfig(BY_USER, authorizer, false)));
    }
}
