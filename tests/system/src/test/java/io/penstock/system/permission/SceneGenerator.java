package io.penstock.system.permission;

import io.penstock.system.permission.Condition.Both;
import io.penstock.system.permission.Condition.Operand;
import io.penstock.system.permission.Condition.Operand.Attribute;
import io.penstock.system.permission.Condition.Operand.Field;
import io.penstock.system.permission.Condition.Operand.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Makes rules, data and cases of a seed. */
final class SceneGenerator {
    /** Those who ask; their connections are used again. */
    static final List<User> USERS = List.of(
            new User("", Set.of(), Map.of()),
            new User("ann", Set.of("trader"), Map.of("desk", "E", "other", "N")),
            new User("bob", Set.of("trader"), Map.of("desk", "W")),
            new User("cyd", Set.of("trader", "reader"), Map.of("desk", "O'N")),
            new User("dee", Set.of("reader"), Map.of("other", "E")),
            new User("eve", Set.of("reader", "keeper"), Map.of("desk", "E", "other", "W")),
            new User("fay", Set.of("keeper"), Map.of("desk", "N")),
            new User("gus", Set.of("trader", "reader", "keeper"), Map.of()));

    private static final List<Transport> TRANSPORTS = List.of(Transport.values());
    private static final List<String> ROLES = List.of("everyone", "trader", "reader", "keeper");
    private static final List<String> DESKS = List.of("E", "W", "N", "O'N", "EN");
    private static final List<String> TOPICS = List.of("orders", "orders.eu", "news", "plain", "spare", "nothing");
    /** Not the one that may be deleted. */
    private static final List<String> CHANGED = TOPICS.subList(0, 4);

    private static final List<String> PATTERNS = List.of(".*", "orders.*", "(news|plain)", "[a-n].*", "no.*");
    private static final List<String> RANGES = List.of(
            "*",
            "*",
            "*",
            "@*",
            "@*",
            "@orders",
            "@orders*",
            "@orders.eu",
            "@news",
            "@plain",
            "@n*",
            "/@(orders|news)/",
            "/.*\\.eu/",
            "/@.*[rs]/",
            "/.*/",
            "@new-*",
            "@spare",
            "led*",
            "ledger",
            "stock");
    private static final List<String> WORDS_OF_MESSAGES =
            List.of("publish", "delta", "subscribe", "query", "replay", "delete", "read", "read", "write");
    private static final List<String> OTHER_WORDS = List.of(
            "create",
            "deliver",
            "list",
            "stat",
            "delete-topic",
            "reset-publisher",
            "admin-read",
            "admin-write",
            "admin",
            "all",
            "all");
    private static final List<String> WORDS_OF_READING = List.of("subscribe", "query", "replay", "read", "all");
    private static final List<String> HIDDEN = List.of("secret", "owner", "v", "/desk", "/secret", "none");
    private static final int RECORD_COUNT = 6;

    private final Random random;

    SceneGenerator(final long seed) {
        random = new Random(seed);
    }

    Scene scene(final int commandCount) {
        final Map<String, List<Rule>> roles = new TreeMap<>();
        for (final String role : ROLES) {
            final List<Rule> rules = new ArrayList<>();
            for (int i = random.nextInt(role.equals("everyone") ? 3 : 5) + (role.equals("everyone") ? 0 : 2);
                    i > 0;
                    i--) {
                rules.add(rule());
            }
            roles.put(role, rules);
        }
        final List<Change> before = changes(20);
        final List<Change> after = changes(12);
        final List<Command> commands = new ArrayList<>();
        for (int i = 0; i < commandCount; i++) {
            commands.add(command(TRANSPORTS.get(i % TRANSPORTS.size()), i));
        }
        return new Scene(roles, before, after, commands);
    }

    private <T> T pick(final List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private boolean oneIn(final int count) {
        return random.nextInt(count) == 0;
    }

    private Rule rule() {
        final boolean isAllow = !oneIn(6);
        final boolean isOfMessages = !oneIn(4);
        final List<String> words = new ArrayList<>();
        do {
            words.add(pick(isOfMessages ? WORDS_OF_MESSAGES : OTHER_WORDS));
        } while (oneIn(2));
        final List<String> topics = new ArrayList<>();
        do {
            topics.add(pick(RANGES));
        } while (oneIn(3));
        final boolean isLimited = isOfMessages && !oneIn(isAllow ? 3 : 8);
        return new Rule(
                isAllow,
                words,
                topics,
                isLimited ? condition(random.nextInt(3), true) : null,
                isAllow && oneIn(2) && !Collections.disjoint(words, WORDS_OF_READING) ? hidden() : List.of());
    }

    /** Fields that a rule hides; rarely the key, without which no record can be shown. */
    private List<String> hidden() {
        final List<String> hidden = new ArrayList<>();
        do {
            hidden.add(oneIn(15) ? "id" : pick(HIDDEN));
        } while (oneIn(2));
        return hidden.stream().distinct().toList();
    }

    private Condition condition(final int depth, final boolean isOfRule) {
        if (depth > 0 && oneIn(2)) {
            return oneIn(4)
                    ? new Condition.Not(condition(depth - 1, isOfRule))
                    : new Both(oneIn(2), condition(depth - 1, isOfRule), condition(depth - 1, isOfRule));
        }
        final Operand desk = new Field("desk");
        final Operand v = new Field("v");
        return switch (random.nextInt(isOfRule ? 17 : 9)) {
            case 0, 1 ->
                new Condition.Compare(v, pick(List.of("=", "<>", "<", ">")), new Value((long) random.nextInt(5)));
            case 2 -> new Condition.Compare(desk, pick(List.of("=", "<>")), new Value(pick(DESKS)));
            case 3 -> new Condition.Between(v, random.nextInt(3), 2 + random.nextInt(3));
            case 4 -> new Condition.IsNull(pick(List.of(desk, v, new Field("secret"))));
            case 5 -> new Condition.Compare(new Field("secret"), "=", new Value(oneIn(2)));
            case 6 -> new Condition.StartsWith(desk, pick(List.of("E", "O")));
            case 7 ->
                new Condition.Compare(new Operand.Header("tag"), pick(List.of("=", "<>")), new Value(pick(DESKS)));
            case 8 -> new Condition.Holds(new Field("secret"));
            case 9, 10 -> new Condition.Compare(desk, pick(List.of("=", "=", "<>")), new Attribute("desk"));
            case 11 -> new Condition.Compare(new Field("owner"), "=", new Attribute("name"));
            case 12 -> new Condition.In(desk, List.of(new Attribute("desk"), new Attribute("other"), new Value("N")));
            case 13, 14, 15 -> new Condition.Compare(new Operand.Header("tag"), "=", new Attribute("desk"));
            default -> new Condition.Compare(new Attribute("desk"), "=", new Value("E"));
        };
    }

    private Sample sample(final boolean isDelta) {
        final TreeMap<String, Object> fields = new TreeMap<>();
        fields.put("id", (long) (1 + random.nextInt(RECORD_COUNT)));
        final int often = isDelta ? 2 : 5;
        if (!oneIn(often)) {
            fields.put("desk", pick(DESKS));
        }
        if (!oneIn(often)) {
            fields.put("v", (long) random.nextInt(5));
        }
        if (!oneIn(2)) {
            fields.put("secret", oneIn(2));
        }
        if (!oneIn(2)) {
            fields.put("owner", pick(USERS).attribute("name"));
        }
        final TreeMap<String, String> headers = new TreeMap<>();
        if (oneIn(2)) {
            headers.put("tag", pick(DESKS));
        }
        return new Sample(fields, headers);
    }

    private List<Change> changes(final int most) {
        final List<Change> changes = new ArrayList<>();
        for (int i = most / 2 + random.nextInt(most / 2 + 1); i > 0; i--) {
            final String topic = pick(CHANGED);
            final boolean isKeyed = !topic.equals(Scene.STATELESS);
            final Change.Type kind = isKeyed && oneIn(8)
                    ? Change.Type.DELETE
                    : isKeyed && oneIn(5) ? Change.Type.DELTA : Change.Type.PUT;
            changes.add(new Change(kind, topic, sample(kind == Change.Type.DELTA)));
        }
        return changes;
    }

    private Command command(final Transport transport, final int index) {
        final List<Kind> kinds = Kind.over(transport);
        // What is published is limited by its headers as well, which takes many messages to see.
        final Kind kind = kinds.contains(Kind.PUBLISH) && oneIn(8) ? Kind.PUBLISH : pick(kinds);
        final boolean isDelta = kind == Kind.PUBLISH_DELTA;
        final List<Integer> keys = new ArrayList<>();
        if (kind == Kind.DELETE_BY_KEYS || kind == Kind.QUERY_OF_KEYS) {
            do {
                keys.add(1 + random.nextInt(RECORD_COUNT));
            } while (oneIn(2));
        }
        final boolean isFiltered = kind != Kind.DELETE_BY_KEYS && !kind.name().startsWith("PUBLISH");
        return new Command(
                transport,
                pick(USERS),
                kind,
                topic(kind, index),
                isFiltered && (kind == Kind.DELETE_BY_FILTER || oneIn(3)) ? condition(1, false) : null,
                sample(isDelta),
                keys.stream().distinct().toList(),
                isLive(kind) ? changes(6) : List.of(),
                random.nextInt(100));
    }

    private static boolean isLive(final Kind kind) {
        return switch (kind) {
            case SUBSCRIBE, SUBSCRIBE_TO_PATTERN, SOW_AND_SUBSCRIBE -> true;
            default -> false;
        };
    }

    private String topic(final Kind kind, final int index) {
        return switch (kind) {
            case SUBSCRIBE_TO_PATTERN, REPLAY_OF_PATTERN, QUERY_OF_PATTERN -> pick(PATTERNS);
            case PUBLISH_DELTA -> pick(TOPICS.subList(0, 3));
            case PUBLISH -> pick(CHANGED);
            case PUBLISH_TO_NEW_TOPIC, DECLARE -> "new-" + index;
            case DELETE_TOPIC -> pick(List.of("spare", "nothing"));
            case DELIVER -> pick(List.of("ledger", "stock"));
            case SUBSCRIBE, SOW_AND_SUBSCRIBE, REPLAY, QUERY_OF_PAST -> pick(CHANGED);
            default -> pick(TOPICS);
        };
    }
}
