package io.penstock.broker;

import static io.penstock.broker.QuotaScene.EVERYTHING;
import static io.penstock.broker.QuotaScene.connect;
import static io.penstock.broker.QuotaScene.logOn;
import static io.penstock.broker.QuotaScene.quotas;
import static io.penstock.broker.QuotaScene.security;
import static io.penstock.broker.QuotaScene.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.IdentityQuotas;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Role;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What all sessions of one user use together stays within its bounds, and is given back when they end. */
@Timeout(60)
class IdentityQuotaTest {
    @ParameterizedTest
    @EnumSource(ThreadingMode.class)
    void shouldRefuseAConnectionWhenItsUserHasAsManyAsItMayHave(final ThreadingMode threading) {
        try (TestBroker test = start(threading, quotas("connectionCountMax", 3))) {
            final List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(logOn(test, "", "ann"));
            }
            final RawClient fourth = connect(test, "", "ann");
            test.await(() -> fourth.disconnected);
            assertThat(fourth.fatalErrors).containsExactly(ErrorCode.LIMIT_REACHED);
            assertThat(fourth.errorTexts)
                    .containsExactly("logon: no more connections of user ann, which has 3 (close others, or raise"
                            + " quotas.perIdentity.connectionCountMax or that of a role)");
            assertThat(test.broker.counter("quotasReached")).isEqualTo(1);
            logOn(test, "", "bob");
            logOn(test, "", "");

            clients.get(1).disconnect();
            test.await(() -> test.broker.counter("connections") == 4);
            logOn(test, "", "ann");
            test.await(() -> test.broker.counter("connections") == 5);
            assertThat(refusals(test, connect(test, "", "ann"))).containsExactly(ErrorCode.LIMIT_REACHED);
        }
    }

    @Test
    void shouldLetAClientTakeItsOwnPlaceWhenItsUserHasAsManyConnectionsAsItMayHave() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("connectionCountMax", 1))) {
            final RawClient before = logOn(test, "name", "ann");
            final RawClient after = logOn(test, "name", "ann");
            test.settle();

            assertThat(before.disconnected).isTrue();
            assertThat(after.errors).isEmpty();
            assertThat(refusals(test, connect(test, "other", "ann"))).containsExactly(ErrorCode.LIMIT_REACHED);
            after.disconnect();
            test.settle();
            logOn(test, "other", "ann");
        }
    }

    @Test
    void shouldRefuseSubscriptionsWhenAllSessionsOfAUserHaveTooMany() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("subscriptionCountMax", 3))) {
            final RawClient one = logOn(test, "", "ann");
            final RawClient two = logOn(test, "", "ann");
            one.declareTopic(2, "t", "json", "/k");
            one.subscribe(3, 1, "t", "");
            one.subscribe(4, 2, "t", "k = 1");
            two.subscribe(5, 1, "t.*", "", true);
            test.settle();
            two.subscribe(6, 2, "t", "");
            test.settle();
            assertThat(two.errorTexts)
                    .containsExactly("subscribe: no more subscriptions of user ann, which has 3 (unsubscribe, or raise"
                            + " quotas.perIdentity.subscriptionCountMax or that of a role)");
            assertThat(two.errors).containsExactly(ErrorCode.LIMIT_REACHED);
            two.replace(7, 1, "t", "k = 2", false);
            final RawClient other = logOn(test, "", "bob");
            other.subscribe(8, 1, "t", "");
            test.settle();
            assertThat(two.acks).containsKey(7L);
            assertThat(other.acks).containsKey(8L);

            one.unsubscribe(9, 1);
            test.settle();
            two.subscribe(10, 2, "t", "");
            test.settle();
            assertThat(two.acks).containsKey(10L);
            one.disconnect();
            test.settle();
            two.subscribe(11, 3, "t", "");
            two.subscribe(12, 4, "t", "");
            test.settle();
            assertThat(two.acks).containsKey(11L).doesNotContainKey(12L);
        }
    }

    @Test
    void shouldRefuseFiltersWhenThoseOfAllSessionsAreTooLong() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("filterLengthMax", 12))) {
            final RawClient one = logOn(test, "", "ann");
            final RawClient two = logOn(test, "", "ann");
            one.subscribe(2, 1, "t", "k  =  1");
            two.subscribe(3, 1, "t", "k = 22");
            two.subscribe(4, 2, "t", "");
            test.settle();
            assertThat(two.acks).containsKey(3L).containsKey(4L);
            two.subscribe(5, 3, "t", "k = 3");
            test.settle();
            assertThat(two.errorTexts)
                    .containsExactly("subscribe: the filters of user ann would be too long: 11 + 5 characters (filter"
                            + " by less, unsubscribe, or raise quotas.perIdentity.filterLengthMax or that of a role)");
            two.replace(6, 1, "t", "k = 333", false);
            test.settle();
            assertThat(two.acks).containsKey(6L);
            two.replace(7, 1, "t", "k = 4444", false);
            test.settle();
            assertThat(two.acks).doesNotContainKey(7L);
            one.unsubscribe(8, 1);
            test.settle();
            two.subscribe(9, 3, "t", "k = 5");
            test.settle();
            assertThat(two.acks).containsKey(9L);
        }
    }

    @Test
    void shouldGiveSubscriptionsBackWhenTheyAreRefusedOrEnd() {
        final IdentityQuotas one = quotas("subscriptionCountMax", 1);
        final Permissions few = GuardedBroker.traders(GuardedBroker.allow("list", "*", ""));
        final Permissions all = GuardedBroker.traders(GuardedBroker.allow("all", "*", ""));
        try (TestBroker test = GuardedBroker.start(
                all, builder -> builder.quotas(QuotaConfig.defaults().withPerIdentity(one)))) {
            final StateClient client = new StateClient(test, "trader");
            for (int i = 1; i < 5; i++) {
                client.subscribe(i, SubscribeRequest.topic("stateless").sow());
                test.settle();
                assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.NO_STATE);
            }
            client.subscribe(10, SubscribeRequest.topic("t"));
            client.subscribe(11, SubscribeRequest.topic("t"));
            test.settle();
            assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.LIMIT_REACHED);
            test.broker.permissions(few);
            test.settle();
            assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.NOT_AUTHORIZED);
            test.broker.permissions(all);
            final int errors = client.errors.size();
            client.subscribe(12, SubscribeRequest.topic("t"));
            test.settle();
            assertThat(client.errors).hasSize(errors);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldCountWhatThereIsWhateverClientsDo(final long seed) {
        final int countMax = 7;
        final Random random = new Random(seed);
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("subscriptionCountMax", countMax))) {
            final Map<RawClient, List<Long>> subscriptions = new HashMap<>();
            final List<RawClient> clients = new ArrayList<>();
            long commandId = 100;
            for (int i = 0; i < 2_000; i++) {
                if (clients.size() < 3) {
                    final RawClient client = logOn(test, "", "ann");
                    clients.add(client);
                    subscriptions.put(client, new ArrayList<>());
                }
                final RawClient client = clients.get(random.nextInt(clients.size()));
                final List<Long> own = subscriptions.get(client);
                final int count =
                        subscriptions.values().stream().mapToInt(List::size).sum();
                final int what = random.nextInt(20);
                commandId++;
                if (what < 11) {
                    client.subscribe(commandId, commandId, "t" + what, what % 2 == 0 ? "" : "k = 1");
                    test.settle();
                    assertThat(client.acks.containsKey(commandId))
                            .as("seed %d, step %d", seed, i)
                            .isEqualTo(count < countMax);
                    if (count < countMax) {
                        own.add(commandId);
                    }
                } else if (what < 15 && !own.isEmpty()) {
                    client.replace(commandId, own.get(random.nextInt(own.size())), "r" + what, "k = 3", what == 13);
                } else if (what < 19 && !own.isEmpty()) {
                    client.unsubscribe(commandId, own.remove(random.nextInt(own.size())));
                } else if (what == 19) {
                    // One that the shards have not answered yet ends with its session.
                    client.subscribe(commandId, commandId, "u", "");
                    client.disconnect();
                    clients.remove(client);
                    subscriptions.remove(client);
                }
                test.settle();
            }
        }
    }

    @Test
    void shouldRefuseQueriesWhenAsManyRunAsMayRun() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("queryCountMax", 2))) {
            final StateClient one = new StateClient(test, "ann");
            final StateClient two = new StateClient(test, "ann");
            one.declare("t", "/k", 0);
            for (int i = 0; i < 2_000; i++) {
                one.publish("t", "{\"k\":" + i + ",\"text\":\"" + "x".repeat(4_000) + "\"}");
            }
            test.settle();
            // What nobody takes is not over.
            one.paused = true;
            one.offer(() -> one.session.offerSow(1, SowRequest.topic("t")));
            one.offer(() -> one.session.offerSow(2, SowRequest.topic("t")));
            test.settle();
            two.offer(() -> two.session.offerSow(3, SowRequest.topic("t")));
            test.settle();
            assertThat(two.lastError().errorCode()).isEqualTo(ErrorCode.LIMIT_REACHED);
            assertThat(two.lastError().text())
                    .isEqualTo("query: no more queries of user ann, of which 2 are running (ask again when some have"
                            + " ended, or raise quotas.perIdentity.queryCountMax or that of a role)");
            two.subscribe(4, SubscribeRequest.topic("t").sow());
            test.settle();
            assertThat(two.lastError().errorCode()).isEqualTo(ErrorCode.LIMIT_REACHED);
            final StateClient other = new StateClient(test, "bob");
            assertThat(other.sow(SowRequest.topic("t").top(1))).hasSize(1);
            one.paused = false;
            test.settle();
            assertThat(two.sow(SowRequest.topic("t").top(1))).hasSize(1);

            one.paused = true;
            one.offer(() -> one.session.offerSow(5, SowRequest.topic("t")));
            one.offer(() -> one.session.offerSow(6, SowRequest.topic("t")));
            test.settle();
            one.close();
            test.settle();
            assertThat(two.sow(SowRequest.topic("t").top(1))).hasSize(1);
        }
    }

    @Test
    void shouldRefuseQueriesWhenThoseBeforeHaveTakenTooMuchTime() {
        // Each look at the clock takes a millisecond.
        final AtomicLong ticks = new AtomicLong(TimeUnit.HOURS.toNanos(1));
        try (TestBroker test = new TestBroker(builder -> builder.security(security())
                .nanoClock(() -> ticks.addAndGet(TimeUnit.MILLISECONDS.toNanos(1)))
                .quotas(QuotaConfig.defaults().withPerIdentity(quotas("queryMsPerMinuteMax", 5))))) {
            final StateClient client = new StateClient(test, "ann");
            client.declare("t", "/k", 0);
            client.publish("t", "{\"k\":1}");
            int count = 0;
            while (client.errors.isEmpty()) {
                count += client.sow(SowRequest.topic("t")).size();
                assertThat(count).isLessThan(20);
            }
            assertThat(count).isPositive();
            assertThat(client.lastError().errorCode()).isEqualTo(ErrorCode.LIMIT_REACHED);
            assertThat(client.lastError().text())
                    .startsWith("query: the queries of user ann have taken more than 5 ms in a minute (ask again in ");
            assertThat(new StateClient(test, "bob").sow(SowRequest.topic("t"))).hasSize(1);
            final int errors = client.errors.size();
            ticks.addAndGet(TimeUnit.MINUTES.toNanos(2));
            assertThat(client.sow(SowRequest.topic("t"))).hasSize(1);
            assertThat(client.errors).hasSize(errors);
        }
    }

    @Test
    void shouldHoldTheHighestOfAUsersRoles() {
        final Permissions permissions = Permissions.of(List.of(
                new Role(
                        Role.EVERYONE, List.of(GuardedBroker.allow("all", "*", "")), unsaid("subscriptionCountMax", 1)),
                new Role("trader", List.of(), unsaid("subscriptionCountMax", 2)),
                new Role("root", List.of(), unsaid("subscriptionCountMax", 0)),
                new Role("other", List.of(), unsaid("connectionCountMax", 9))));
        try (TestBroker test = GuardedBroker.start(
                permissions,
                builder -> builder.quotas(QuotaConfig.defaults().withPerIdentity(quotas("subscriptionCountMax", 9))))) {
            assertThat(subscriptionsOf(test, "nobody")).isEqualTo(1);
            assertThat(subscriptionsOf(test, "other")).isEqualTo(1);
            assertThat(subscriptionsOf(test, "trader")).isEqualTo(2);
            assertThat(subscriptionsOf(test, "root")).isEqualTo(12);
            test.broker.permissions(EVERYTHING);
            assertThat(subscriptionsOf(test, "trader")).isEqualTo(9);
        }
    }

    @Test
    void shouldHoldOtherBoundsForThoseThatAreThereWhenTheyChange() {
        try (TestBroker test = start(ThreadingMode.INVOKER, quotas("subscriptionCountMax", 1))) {
            final RawClient client = logOn(test, "", "ann");
            client.subscribe(2, 1, "t", "");
            client.subscribe(3, 2, "t", "");
            test.settle();
            assertThat(client.acks).containsKey(2L).doesNotContainKey(3L);
            reload(test, quotas("subscriptionCountMax", 2));
            client.subscribe(4, 2, "t", "");
            test.settle();
            assertThat(client.acks).containsKey(4L);
            reload(test, quotas("subscriptionCountMax", 1));
            client.unsubscribe(5, 1);
            client.subscribe(6, 3, "t", "");
            test.settle();
            assertThat(client.acks).containsKey(5L).doesNotContainKey(6L);
            reload(test, IdentityQuotas.UNBOUNDED);
            client.subscribe(7, 3, "t", "");
            test.settle();
            assertThat(client.acks).containsKey(7L);
        }
    }

    private static int subscriptionsOf(final TestBroker test, final String user) {
        final RawClient client = logOn(test, "", user);
        for (int i = 0; i < 12; i++) {
            client.subscribe(100 + i, 1 + i, "t", "");
        }
        test.settle();
        final int count = acked(client);
        client.disconnect();
        test.settle();
        return count;
    }

    private static void reload(final TestBroker test, final IdentityQuotas quotas) {
        final ReloadReport report = test.broker.reload(test.broker.config().toBuilder()
                .quotas(QuotaConfig.defaults().withPerIdentity(quotas))
                .build());
        assertThat(report.refused()).isEmpty();
        assertThat(report.restart()).isEmpty();
        assertThat(report.applied()).isNotEmpty();
    }

    private static int acked(final RawClient... clients) {
        int count = 0;
        for (final RawClient client : clients) {
            count += client.acks.size();
        }
        return count;
    }

    private static List<ErrorCode> refusals(final TestBroker test, final RawClient client) {
        test.await(() -> client.disconnected);
        return client.fatalErrors;
    }

    private static IdentityQuotas unsaid(final String bound, final long value) {
        return quotas(bound, value, IdentityQuotas.UNSAID_VALUE);
    }
}
