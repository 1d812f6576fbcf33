package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Action;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.user.UsersFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Looks at all sessions, or at all topics, are taken in parts, so that nobody waits for the whole of them. */
@Timeout(60)
class BoundedLooksTest {
    private static final int SESSION_COUNT = 1_000;
    private static final int SUBSCRIPTION_COUNT = 3;
    private static final int TOPIC_COUNT = 1_500;

    /** What the looks of one duty cycle may cost, each session with its subscriptions and its topic. */
    private static final int DECIDED_MAX = 256 / (1 + SUBSCRIPTION_COUNT) + 1;

    private static final int VALID_MAX = 512 + 1;
    private static final int TOPICS_MAX = 64 * 16;

    @TempDir
    private Path directory;

    private final AtomicInteger asked = new AtomicInteger();

    private static TestBroker start(final UnaryOperator<BrokerConfig.Builder> configure) {
        return new TestBroker(builder -> configure.apply(builder.sessions(new SessionConfig(
                        2 * SESSION_COUNT, 64, 16 * 1024, 2 * TOPIC_COUNT, 64, 1024, 64, 1 << 24, 60_000, 60_000))
                .quotas(QuotaConfig.defaults().withPerIdentity(QuotaScene.quotas("connectionCountMax", 0)))));
    }

    private static List<RawClient> logOn(final TestBroker test, final int count) {
        final List<RawClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final RawClient client = test.connect();
            client.logon("client-" + i, "ann", 0);
            clients.add(client);
        }
        test.settle();
        return clients;
    }

    /** Counts how often it is asked, and lets root alone read. */
    private final Authorizer rootAlone = (principal, action, topic) -> {
        if (action == Action.CONNECT) {
            asked.incrementAndGet();
        }
        return action != Action.SUBSCRIBE || principal.name().equals("root");
    };

    @Test
    void shouldHaveAChangeOfThePermissionsHoldForSomeSessionsInEachDutyCycle() {
        try (TestBroker test =
                start(builder -> builder.security(new SecurityConfig(GuardedBroker.BY_NAME, Authorizer.ALL, false)))) {
            final List<RawClient> clients = logOn(test, SESSION_COUNT);
            for (final RawClient client : clients) {
                for (int i = 1; i <= SUBSCRIPTION_COUNT; i++) {
                    client.subscribe(1 + i, i, "t", "");
                }
            }
            test.settle();
            final RawClient root = test.connect();
            root.logon("root", "root", 0);
            test.settle();

            test.broker.permissions(rootAlone);
            root.publish(2, "t", "{}");
            int cycles = 0;
            while (!test.broker.arePermissionsApplied()) {
                final int before = asked.get();
                test.broker.invoke();
                assertThat(asked.get() - before).isLessThanOrEqualTo(DECIDED_MAX);
                cycles++;
            }

            assertThat(cycles).isGreaterThanOrEqualTo(SESSION_COUNT / DECIDED_MAX);
            test.settle();
            assertThat(asked.get()).isBetween(SESSION_COUNT, SESSION_COUNT + 2);
            assertThat(clients).allMatch(client -> client.deliveries.isEmpty());
            assertThat(clients).allMatch(client -> client.errors.size() == SUBSCRIPTION_COUNT);
            assertThat(root.events).contains("ack 2 PROCESSED");

            // Whoever comes later has its turn as well.
            final RawClient late = test.connect();
            late.logon("late", "bob", 0);
            test.settle();
            late.publish(2, "t", "{}");
            test.settle();
            assertThat(late.events).contains("ack 2 PROCESSED");
        }
    }

    @Test
    void shouldDecideACommandByTheNewPermissionsBeforeItsSessionHasItsTurn() {
        try (TestBroker test =
                start(builder -> builder.security(new SecurityConfig(GuardedBroker.BY_NAME, Authorizer.ALL, false)))) {
            final List<RawClient> clients = logOn(test, SESSION_COUNT);
            final RawClient last = clients.get(SESSION_COUNT - 1);
            // It knows the topic, and what it may do with it.
            last.publish(2, "t", "{}");
            test.awaitAck(last, 2);

            test.broker.permissions((principal, action, topic) -> action != Action.PUBLISH);
            last.publish(3, "t", "{}");
            test.settle();

            assertThat(last.events).contains("error 3 0 NOT_AUTHORIZED");
            assertThat(test.broker.counter("messages")).isEqualTo(1);
        }
    }

    @Test
    void shouldLookAtSomeSessionsInEachDutyCycleWhenUsersHaveChanged() {
        final UsersFile users = UsersFile.empty(directory.resolve("users"));
        users.write();
        try (TestBroker test = start(builder -> builder.security(
                SecurityConfig.defaults().withUsers(directory.resolve("users").toString())))) {
            final boolean[] isValid = {true};
            for (int i = 0; i < SESSION_COUNT; i++) {
                final String name = "client-0123456789abcdef0123456789abcdef-" + i;
                final Admitted proof = new Admitted(new Principal("ann"), new byte[0], Admitted.FOR_EVER, () -> {
                    asked.incrementAndGet();
                    return isValid[0];
                });
                assertThat(test.broker.gate().expected().expect(name, proof)).isTrue();
                test.connect().logon(name);
                if (i % 100 == 99) {
                    test.settle();
                }
            }
            test.settle();
            assertThat(test.broker.counter("sessions")).isEqualTo(SESSION_COUNT);

            asked.set(0);
            assertThat(test.broker.reloadUsers()).isTrue();
            while (asked.get() < SESSION_COUNT) {
                final int before = asked.get();
                test.broker.invoke();
                assertThat(asked.get() - before).isLessThanOrEqualTo(VALID_MAX);
            }
            test.settle();
            assertThat(asked.get()).isEqualTo(SESSION_COUNT);

            isValid[0] = false;
            test.broker.reloadUsers();
            test.settle();
            assertThat(test.broker.counter("sessions")).isZero();
        }
    }

    @Test
    void shouldLookAtSomeTopicsInEachDutyCycleWhenTheyAreListed() {
        final Authorizer authorizer = (principal, action, topic) -> {
            if (!principal.name().equals("guest")) {
                return true;
            }
            asked.addAndGet(action == Action.SUBSCRIBE ? 1 : 0);
            return action == Action.CONNECT || action == Action.LIST_TOPICS || topic.endsWith("7");
        };
        try (TestBroker test =
                start(builder -> builder.security(new SecurityConfig(GuardedBroker.BY_NAME, authorizer, false)))) {
            final RawClient root = test.connect();
            root.logon("root", "root", 0);
            test.settle();
            for (int i = 0; i < TOPIC_COUNT; i++) {
                root.declareTopic(10 + i, "topic-" + i, "json");
                test.settle();
            }
            final RawClient guest = test.connect();
            guest.logon("guest", "guest", 0);
            test.settle();
            asked.set(0);

            guest.topics(2, "topic-");
            while (!guest.acks.containsKey(2L)) {
                final int before = asked.get();
                test.cycle();
                assertThat(asked.get() - before).isLessThanOrEqualTo(TOPICS_MAX + 64);
            }
            assertThat(guest.topicFormats).hasSize(TOPIC_COUNT / 10);
        }
    }
}
