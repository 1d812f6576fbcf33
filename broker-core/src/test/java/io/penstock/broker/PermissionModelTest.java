package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.Role;
import io.penstock.client.BrokerError;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Generated roles, users, topics and commands, against a model that asks each rule about each message. Long form:
 * {@code -Dpenstock.permissionSeeds=250}, about 10,000 decisions.
 */
@Timeout(600)
class PermissionModelTest {
    private static final int SEEDS = Integer.getInteger("penstock.permissionSeeds", 25);
    private static final List<String> TOPICS = List.of("a", "ax", "b");
    private static final List<String> WORDS =
            List.of("publish", "delta", "subscribe", "query", "replay", "delete", "read", "write");

    /** With what each means for names, worked out by hand. */
    private static final Map<String, Predicate<String>> RANGES = Map.of(
            "a", "a"::equals,
            "b", "b"::equals,
            "a*", name -> name.startsWith("a"),
            "*", name -> true,
            "/[ab]x?/", name -> true,
            "/.x/", name -> name.length() == 2 && name.charAt(1) == 'x');

    /** With what each is of a message: true, false or unknown. */
    private static final Map<String, Function<Asked, @Nullable Boolean>> FILTERS = Map.of(
            "desk = USER('desk')",
            asked -> asked.message.desk == null ? null : asked.message.desk.equals(asked.desk),
            "v > 2",
            asked -> asked.message.v > 2,
            "v = 1 OR desk = 'E'",
            asked -> asked.message.v == 1
                    ? Boolean.TRUE
                    : asked.message.desk == null ? null : asked.message.desk.equals("E"),
            "desk IS NULL",
            asked -> asked.message.desk == null);

    private int decisions;

    private record Message(int id, @Nullable String desk, int v) {
        @Override
        public String toString() {
            return "{\"id\":" + id + (desk == null ? "" : ",\"desk\":\"" + desk + "\"") + ",\"v\":" + v + "}";
        }
    }

    private record Asked(Message message, @Nullable String desk) {}

    private record User(
            String name, Set<String> roles, @Nullable String desk) {}

    @Test
    void shouldDecideAsTheRulesSayWhateverIsAsked() {
        for (int seed = 0; seed < SEEDS; seed++) {
            try {
                run(new Random(seed));
            } catch (final AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertThat(decisions).isGreaterThan(40 * SEEDS);
    }

    private void run(final Random random) {
        final List<Role> roles = new ArrayList<>();
        roles.add(new Role(Role.EVERYONE, List.of(GuardedBroker.allow("list", "*", ""))));
        roles.add(GuardedBroker.ROOT);
        for (final String name : List.of("r0", "r1", "r2")) {
            final List<PermissionRule> rules = new ArrayList<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                rules.add(rule(random));
            }
            roles.add(new Role(name, rules));
        }
        final List<User> users = List.of(user("u0", random), user("u1", random));
        try (TestBroker test = start(roles, users)) {
            final StateClient root = new StateClient(test, "root");
            for (final User user : users) {
                for (final String topic : TOPICS) {
                    check(test, root, new Model(roles, user), topic, random);
                }
            }
        }
    }

    private static PermissionRule rule(final Random random) {
        final List<String> words = List.of(pick(WORDS, random), pick(WORDS, random));
        final List<String> topics = List.of(pick(List.copyOf(RANGES.keySet()), random));
        final String filter = random.nextInt(3) == 0 ? "" : pick(List.copyOf(FILTERS.keySet()), random);
        return random.nextInt(4) == 0
                ? PermissionRule.deny(words, topics, filter)
                : PermissionRule.allow(words, topics, filter);
    }

    private static User user(final String name, final Random random) {
        final Set<String> roles = Set.copyOf(List.of("r" + random.nextInt(3), "r" + random.nextInt(3)));
        return new User(name, roles, random.nextInt(3) == 0 ? null : random.nextBoolean() ? "E" : "W");
    }

    private static TestBroker start(final List<Role> roles, final List<User> users) {
        return new TestBroker(builder -> {
            TOPICS.forEach(topic -> builder.topic(TopicConfig.keyed(topic, "json", "id")));
            return builder.security(new SecurityConfig(
                    logon -> users.stream()
                            .filter(user -> user.name.equals(logon.user()))
                            .map(user -> new Principal(
                                    user.name, user.roles, user.desk == null ? Map.of() : Map.of("desk", user.desk)))
                            .findFirst()
                            .orElseGet(() -> new Principal(logon.user(), Set.of(logon.user()), Map.of())),
                    Permissions.of(roles),
                    false));
        });
    }

    private void check(
            final TestBroker test, final StateClient root, final Model model, final String topic, final Random random) {
        final StateClient client = new StateClient(test, model.user.name);
        final List<Message> records = new ArrayList<>();
        for (final String each : TOPICS) {
            root.delete(each, "TRUE");
        }
        for (int id = 0; id < 6; id++) {
            records.add(message(id, random));
            root.publish(topic, records.get(id).toString());
        }
        root.flush();

        expect(client, records, model, topic, each -> true, () -> client.sow(SowRequest.topic(topic)), "query");
        expect(
                client,
                records,
                model,
                topic,
                each -> each.v > 1,
                () -> client.sow(SowRequest.topic(topic).filter("v > 1")),
                "query");
        assertThat(client.sow(SowRequest.pattern(".*").orderBy("id")))
                .containsExactlyElementsOf(texts(records, model, topic, "query"));
        if (model.isAllowed(topic, "query")) {
            assertThat(client.sow(SowRequest.topic(topic).select("COUNT(*) AS n")))
                    .containsExactly(
                            "{\"n\":" + texts(records, model, topic, "query").size() + "}");
        }
        decisions += 2;
        live(client, root, model, topic, random);
        changes(client, root, model, topic, random);
        client.close();
    }

    /** What is sent as it comes, what is replayed, and what comes first. */
    private void live(
            final StateClient client,
            final StateClient root,
            final Model model,
            final String topic,
            final Random random) {
        client.take();
        subscribe(client, model.isAllowed(topic, "subscribe"), 1, SubscribeRequest.topic(topic));
        client.subscribe(2, SubscribeRequest.pattern(".*"));
        final boolean isStateAllowed = model.isAllowed(topic, "subscribe") && model.isAllowed(topic, "query");
        subscribe(client, isStateAllowed, 3, SubscribeRequest.topic(topic).sow());
        client.take();
        final List<Message> sent = Stream.generate(() -> message(random.nextInt(6), random))
                .limit(4)
                .toList();
        sent.forEach(each -> root.publish(topic, each.toString()));
        root.flush();
        final List<String> got = client.take();
        final List<String> visible = texts(sent, model, topic, "subscribe");

        assertThat(of(got, 1)).containsExactlyElementsOf(visible);
        assertThat(of(got, 2)).containsExactlyElementsOf(visible);
        assertThat(of(got, 3)).containsExactlyElementsOf(texts(sent, model, topic, "subscribe", "query"));

        final boolean isReplayAllowed = model.isAllowed(topic, "subscribe") && model.isAllowed(topic, "replay");
        final int errorCount = client.errors.size();
        final long commandId = client.offer(() -> client.session.offerSubscribeFrom(
                4, ReplayRequest.topic(topic).from(LogPlace.BEGINNING).to(LogPlace.NOW)));
        final List<String> replayed = of(client.take(), 4);
        assertThat(client.errors.size() - errorCount).isEqualTo(isReplayAllowed ? 0 : 1);
        final List<String> last = texts(sent, model, topic, "subscribe", "replay");
        assertThat(replayed.subList(Math.max(0, replayed.size() - last.size()), replayed.size()))
                .as("command " + commandId)
                .containsExactlyElementsOf(last);
        decisions += 4;
    }

    private void changes(
            final StateClient client,
            final StateClient root,
            final Model model,
            final String topic,
            final Random random) {
        root.delete(topic, "TRUE");
        client.errors.clear();
        final Message message = message(1, random);
        client.publish(topic, message.toString());
        client.flush();
        final boolean mayPublish = model.sees(message, topic, "publish");
        assertThat(root.sow(SowRequest.topic(topic))).hasSize(mayPublish ? 1 : 0);
        assertThat(client.errors)
                .extracting(BrokerError::errorCode)
                .containsExactlyElementsOf(
                        mayPublish
                                ? List.of()
                                : List.of(
                                        model.isAllowed(topic, "publish")
                                                ? ErrorCode.NOT_ENTITLED
                                                : ErrorCode.NOT_AUTHORIZED));

        final List<Message> records =
                Stream.of(1, 2, 3, 4).map(id -> message(id, random)).toList();
        records.forEach(each -> root.publish(topic, each.toString()));
        root.flush();
        final List<String> kept = new ArrayList<>();
        for (final Message each : records) {
            if (each.id > 2 || !model.sees(each, topic, "delete")) {
                kept.add(each.toString());
            }
        }
        client.delete(topic, "", "{\"id\":1}");
        client.delete(topic, "id = 2");
        assertThat(root.sow(SowRequest.topic(topic))).containsExactlyInAnyOrderElementsOf(kept);
        decisions += 3;
    }

    private void expect(
            final StateClient client,
            final List<Message> records,
            final Model model,
            final String topic,
            final Predicate<Message> filter,
            final java.util.function.Supplier<List<String>> query,
            final String action) {
        final int errorCount = client.errors.size();
        assertThat(query.get())
                .containsExactlyInAnyOrderElementsOf(
                        texts(records.stream().filter(filter).toList(), model, topic, action));
        assertThat(client.errors.size() - errorCount).isEqualTo(model.isAllowed(topic, action) ? 0 : 1);
        decisions++;
    }

    private static void subscribe(
            final StateClient client, final boolean isAllowed, final long id, final SubscribeRequest request) {
        final int errorCount = client.errors.size();
        client.subscribe(id, request);
        assertThat(client.errors.size() - errorCount).isEqualTo(isAllowed ? 0 : 1);
    }

    private static List<String> of(final List<String> all, final long id) {
        return all.stream()
                .filter(each -> each.startsWith(id + " "))
                .map(each -> each.substring(each.indexOf('{')))
                .toList();
    }

    private static List<String> texts(
            final List<Message> messages, final Model model, final String topic, final String... actions) {
        return messages.stream()
                .filter(each -> Stream.of(actions).allMatch(action -> model.sees(each, topic, action)))
                .map(Message::toString)
                .toList();
    }

    private static Message message(final int id, final Random random) {
        final int desk = random.nextInt(3);
        return new Message(id, desk == 0 ? null : desk == 1 ? "E" : "W", 1 + random.nextInt(4));
    }

    private static <T> T pick(final List<T> of, final Random random) {
        return of.get(random.nextInt(of.size()));
    }

    /** Asks each rule of a user. */
    private record Model(List<Role> roles, User user) {
        boolean sees(final Message message, final String topic, final String action) {
            boolean isAllowed = false;
            for (final PermissionRule rule : rules(topic, action)) {
                final Boolean truth = truth(rule, message);
                if (rule.deny().isEmpty()) {
                    isAllowed |= Boolean.TRUE.equals(truth);
                } else if (isUnsayable(rule) || !Boolean.FALSE.equals(truth)) {
                    return false;
                }
            }
            return isAllowed;
        }

        /** Whether anything may be done at all, so that a command is not refused. */
        boolean isAllowed(final String topic, final String action) {
            boolean isAllowed = false;
            for (final PermissionRule rule : rules(topic, action)) {
                if (!rule.deny().isEmpty() && (rule.filter().isEmpty() || isUnsayable(rule))) {
                    return false;
                }
                isAllowed |= rule.deny().isEmpty() && !isUnsayable(rule);
            }
            return isAllowed;
        }

        private List<PermissionRule> rules(final String topic, final String action) {
            return roles.stream()
                    .filter(role -> user.roles.contains(role.name()))
                    .flatMap(role -> role.rules().stream())
                    .filter(rule -> RANGES.get(rule.topics().get(0)).test(topic))
                    .filter(rule -> Stream.concat(rule.allow().stream(), rule.deny().stream())
                            .anyMatch(word -> isOf(word, action)))
                    .toList();
        }

        private static boolean isOf(final String word, final String action) {
            return word.equals(action)
                    || (word.equals("read")
                            && List.of("subscribe", "query", "replay").contains(action))
                    || (word.equals("write")
                            && List.of("publish", "delta", "delete").contains(action));
        }

        private boolean isUnsayable(final PermissionRule rule) {
            return rule.filter().contains("USER") && user.desk == null;
        }

        private @Nullable Boolean truth(final PermissionRule rule, final Message message) {
            if (rule.filter().isEmpty()) {
                return true;
            }
            return isUnsayable(rule) ? null : FILTERS.get(rule.filter()).apply(new Asked(message, user.desk));
        }
    }
}
