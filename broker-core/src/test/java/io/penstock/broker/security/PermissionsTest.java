package io.penstock.broker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldPath;
import io.penstock.format.FieldSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What rules say, and which are refused. */
class PermissionsTest {
    private static final Principal BOB = new Principal("bob", Set.of("r"), Map.of("desk", "E' OR 'x' = 'x"));

    @ParameterizedTest
    @CsvSource({
        "orders, orders, true",
        "orders, orders.1, false",
        "orders, Orders, false",
        "orders*, orders, true",
        "orders.*, orders, false",
        "orders.*, orders.1.2, true",
        "*, x, true",
        "/o.d/, old, true",
        "/o.d/, xold, false",
        "/o.d/, oldx, false",
        "/(a|b)+/, abba, true",
        "o.d, old, false",
        "/.*\\.secret/, hr.secret, true",
        "/.*\\.secret/, hrxsecret, false",
        "/o*d/, ood, true",
        "/orders*, /orders.1, true"
    })
    void shouldCompareTopicsAsTheRangeSays(final String range, final String topic, final boolean isAllowed) {
        final Permissions permissions = of(PermissionRule.allow(List.of("subscribe"), List.of(range), ""));

        assertThat(permissions.isAllowed(BOB, Action.SUBSCRIBE, topic)).isEqualTo(isAllowed);
    }

    @Test
    void shouldDenyWhatNoRuleAllowsAndWhatOneDenies() {
        final Permissions permissions = of(
                PermissionRule.allow(List.of("read"), List.of("*"), ""),
                PermissionRule.deny(List.of("query"), List.of("secret"), ""));

        assertThat(permissions.isAllowed(BOB, Action.QUERY, "open")).isTrue();
        assertThat(permissions.isAllowed(BOB, Action.QUERY, "secret")).isFalse();
        assertThat(permissions.isAllowed(BOB, Action.SUBSCRIBE, "secret")).isTrue();
        assertThat(permissions.isAllowed(BOB, Action.PUBLISH, "open")).isFalse();
        assertThat(permissions.isAllowed(new Principal("bob"), Action.QUERY, "open"))
                .isFalse();
        assertThat(permissions.isAllowed(new Principal("bob"), Action.CONNECT, ""))
                .isFalse();
        assertThat(permissions.isAllowed(BOB, Action.CONNECT, "")).isTrue();
    }

    /** What stands in the topic's place is chosen by clients. */
    @Test
    void shouldNotTakeTheNameOfAPublisherForATopic() {
        final Permissions permissions = of(
                PermissionRule.allow(List.of("reset-publisher"), List.of("t"), ""),
                PermissionRule.deny(List.of("reset-publisher"), List.of("/.*harmless/"), ""));

        assertThat(permissions.isAllowed(BOB, Action.RESET_PUBLISHER, "anonymous\nharmless"))
                .isTrue();
        assertThat(permissions.isAllowed(BOB, Action.RESET_PUBLISHER, "anonymous\nt"))
                .isTrue();
        assertThat(of(
                                PermissionRule.allow(List.of("admin"), List.of("*"), ""),
                                PermissionRule.deny(List.of("reset-publisher"), List.of("*"), ""))
                        .isAllowed(BOB, Action.RESET_PUBLISHER, "anonymous\nt"))
                .isFalse();
    }

    @Test
    void shouldTakeAnAttributeForOneTextWhateverIsInIt() {
        final Permissions permissions = of(
                PermissionRule.allow(List.of("query"), List.of("t"), "desk = USER('desk') AND owner = USER('name')"));

        assertThat(condition(permissions)).isEqualTo("desk = 'E'' OR ''x'' = ''x' AND owner = 'bob'");
    }

    @Test
    void shouldPutTogetherWhatRulesSay() {
        final Permissions permissions = of(
                PermissionRule.allow(List.of("query"), List.of("t"), "a = 1"),
                PermissionRule.allow(List.of("query"), List.of("*"), "b = 2"),
                PermissionRule.deny(List.of("read"), List.of("t"), "c = 3"));

        assertThat(condition(permissions)).isEqualTo("(a = 1 OR b = 2) AND NOT c = 3");
        final Permissions whole = of(
                PermissionRule.allow(List.of("query"), List.of("t"), "a = 1"),
                PermissionRule.allow(List.of("query"), List.of("t"), ""));
        assertThat(condition(whole)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        fly     | t    |          | role r, rule 1: no such action: fly (use publish,
        query   | ''   |          | role r, rule 1: topics: of 0 characters
        query   | /(/  |          | role r, rule 1: topics:
        query   | *.s  |          | role r, rule 1: topics: a * before the end: *.s (only the last character
        query   | a.** |          | role r, rule 1: topics: a * before the end: a.**
        query   | *a*  |          | role r, rule 1: topics: a * before the end: *a*
        query   | /a*b |          | role r, rule 1: topics: a * before the end: /a*b
        query   | t    | a =      | role r, rule 1: filter: expected a value
        query   | t    | USER(a)  | role r, rule 1: filter: expected an attribute's name in single quotes
        create  | t    | a = 1    | role r, rule 1: filter: not for actions that are about no message
        ''      | t    |          | role r, rule 1: allow and deny: give words for one of them
        """)
    void shouldRefuseRulesThatMakeNoSense(
            final String word, final String topic, final String filter, final String message) {
        final List<String> words = word.isEmpty() ? List.of() : List.of(word);

        assertThatThrownBy(() -> of(PermissionRule.allow(words, List.of(topic), filter == null ? "" : filter)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        publish | a           | role r, rule 1: hide: in a rule that does not allow to read
        read    | HEADER('h') | role r, rule 1: hide: headers cannot be hidden
        read    | a b         | role r, rule 1: hide: expected a comma or the end
        read    | ''          | role r, rule 1: hide: expected a field's name
        """)
    void shouldRefuseToHideWhatMakesNoSense(final String word, final String field, final String message) {
        final PermissionRule rule = PermissionRule.allow(List.of(word), List.of("t"), "");

        assertThatThrownBy(() -> of(rule.hiding(List.of(field))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    /** A field is shown by a rule only of the messages that the rule is about; a naive look at each of all messages. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldShowNoFieldOfAnyMessageThatNoRuleShows(final long seed) {
        final Random random = new Random(seed);
        final List<String> fields = List.of("a", "b", "c");
        final List<String> words = List.of("subscribe", "query", "replay", "read");
        for (int i = 0; i < 500; i++) {
            final List<PermissionRule> rules = new ArrayList<>();
            for (int j = random.nextInt(4); j >= 0; j--) {
                final List<String> hidden =
                        fields.stream().filter(field -> random.nextInt(3) == 0).toList();
                rules.add(PermissionRule.allow(
                                List.of(words.get(random.nextInt(words.size()))),
                                List.of(random.nextBoolean() ? "t" : "u*"),
                                random.nextInt(3) == 0 ? "x = " + random.nextInt(2) : "")
                        .hiding(hidden));
            }
            final FieldSelection hidden =
                    of(rules.toArray(new PermissionRule[0])).hidden(BOB, "t");
            for (final String field : fields) {
                final boolean isShown = !hidden.touches(FieldPath.of(field));
                for (final String word : List.of("subscribe", "query", "replay")) {
                    final List<PermissionRule> about = rules.stream()
                            .filter(rule -> rule.topics().contains("t"))
                            .filter(rule ->
                                    ActionWord.actions(rule.allow()).containsAll(ActionWord.actions(List.of(word))))
                            .toList();
                    // The messages of x = 0, those of x = 1 and all others, for each of which a rule has to show the
                    // field.
                    for (final String filter : List.of("x = 0", "x = 1", "")) {
                        final List<PermissionRule> ofMessage = about.stream()
                                .filter(rule ->
                                        rule.filter().isEmpty() || rule.filter().equals(filter))
                                .toList();
                        if (isShown && !ofMessage.isEmpty()) {
                            assertThat(ofMessage)
                                    .as("seed %d, %d: %s by %s of %s", seed, i, field, word, rules)
                                    .anyMatch(rule -> !rule.hide().contains(field));
                        }
                    }
                }
            }
        }
    }

    @Test
    void shouldBeAnotherEntitlementWhenOtherFieldsAreHidden() {
        final PermissionRule rule = PermissionRule.allow(List.of("read"), List.of("t"), "");
        final Entitlement shown = of(rule).entitlement(BOB, List.of(Action.SUBSCRIBE));
        final Entitlement hidden = of(rule.hiding(List.of("a"))).entitlement(BOB, List.of(Action.SUBSCRIBE));

        assertThat(hidden)
                .isNotEqualTo(shown)
                .isEqualTo(of(rule.hiding(List.of("a"))).entitlement(BOB, List.of(Action.SUBSCRIBE)));
        assertThat(hidden.hidden("t").text()).isEqualTo("/a");
        final Filter byA = FilterCompiler.compile("a = 1", FilterLimits.DEFAULTS);
        final Filter byB = FilterCompiler.compile("b = 1", FilterLimits.DEFAULTS);
        assertThat(hidden.filter(byB).forTopic("t")).isSameAs(byB);
        assertThat(hidden.filter(byA).forTopic("t")).isNull();
        assertThat(shown.filter(byA).forTopic("t")).isSameAs(byA);
    }

    @ParameterizedTest
    @CsvSource({"*.secret, '/.*\\.secret/'", "a*b, /a.*b/", "**x(, '/.*x\\(/'"})
    void shouldNameTheExpressionThatWasMeantWhenAStarStandsBeforeTheEnd(final String topic, final String expression) {
        assertThatThrownBy(() -> of(PermissionRule.deny(List.of("read"), List.of("t", topic), "")))
                .hasMessageEndingWith("(only the last character may be one; use a regular expression between slashes,"
                        + " here " + expression + ")");
        // It can be given as it is named.
        of(PermissionRule.deny(List.of("read"), List.of(expression), ""));
    }

    @Test
    void shouldRefuseTwoRolesOfOneName() {
        final Role role = new Role("r", List.of());

        assertThatThrownBy(() -> Permissions.of(List.of(role, role))).hasMessageStartingWith("role r: there are two");
    }

    private static @Nullable String condition(final Permissions permissions) {
        return permissions.entitlement(BOB, List.of(Action.QUERY)).condition("t");
    }

    private static Permissions of(final PermissionRule... rules) {
        return Permissions.of(List.of(new Role("r", List.of(rules))));
    }

    /** What was worked out for one user is kept for others. */
    @Test
    void shouldNotGiveAUserTheRightsOfAnother() {
        final Permissions permissions = of(
                PermissionRule.allow(List.of("query"), List.of("a"), "desk = USER('desk')"),
                PermissionRule.allow(List.of("query"), List.of("b"), ""),
                PermissionRule.allow(List.of("query"), List.of("c"), "owner = USER('name')"));
        final List<Action> query = List.of(Action.QUERY);
        for (int i = 0; i < 2; i++) {
            for (final String desk : List.of("E", "W")) {
                final Principal user = new Principal("u" + desk, Set.of("r"), Map.of("desk", desk, "other", "" + i));
                assertThat(permissions.condition(user, query, "a")).isEqualTo("desk = '" + desk + "'");
                assertThat(permissions.condition(user, query, "b")).isEmpty();
                assertThat(permissions.condition(user, query, "c")).isEqualTo("owner = 'u" + desk + "'");
                assertThat(permissions.condition(user, query, "d")).isNull();
                assertThat(permissions.condition(user, List.of(Action.SUBSCRIBE), "a"))
                        .isNull();
            }
            final Principal nobody = new Principal("n", Set.of("r"), Map.of());
            assertThat(permissions.condition(nobody, query, "a")).isNull();
            assertThat(permissions.condition(new Principal("uE", Set.of(), Map.of("desk", "E")), query, "a"))
                    .isNull();
        }
    }

    @Test
    void shouldKeepNoMoreThanItMay() {
        final Permissions permissions = of(PermissionRule.allow(List.of("query"), List.of("t1*"), "v = USER('name')"));
        for (int i = 0; i < 10_000; i++) {
            final Principal user = new Principal("u" + i, Set.of("r"), Map.of());
            assertThat(permissions.condition(user, List.of(Action.QUERY), "t" + i))
                    .isEqualTo(("t" + i).startsWith("t1") ? "v = 'u" + i + "'" : null);
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(permissions.condition(new Principal("u", Set.of("r"), Map.of()), List.of(Action.QUERY), "t" + i))
                    .isEqualTo(("t" + i).startsWith("t1") ? "v = 'u'" : null);
        }
    }

    /** As sessions with many topics go through them when permissions have changed. */
    @Test
    void shouldWorkOutWhatItSaysOfManyTopicsOnceForAllUsersOfTheSameRules() {
        final Permissions permissions = of(PermissionRule.allow(List.of("read"), List.of("*"), "a = 1 OR b = 2")
                .hiding(List.of("c", "d")));
        final int topicCount = 2_000;
        final List<List<Action>> asked = List.of(
                List.of(Action.SUBSCRIBE),
                List.of(Action.QUERY),
                List.of(Action.REPLAY),
                List.of(Action.SUBSCRIBE, Action.QUERY));
        final List<String> conditions = new ArrayList<>();
        final List<FieldSelection> hidden = new ArrayList<>();
        for (int i = 0; i < topicCount; i++) {
            for (final List<Action> actions : asked) {
                conditions.add(permissions.condition(BOB, actions, "t" + i));
            }
            hidden.add(permissions.hidden(BOB, "t" + i));
        }
        final Principal other = new Principal("other", Set.of("r"), Map.of());
        int next = 0;
        for (int i = 0; i < topicCount; i++) {
            for (final List<Action> actions : asked) {
                assertThat(permissions.condition(other, actions, "t" + i))
                        .isEqualTo("a = 1 OR b = 2")
                        .isSameAs(conditions.get(next++));
            }
            assertThat(permissions.hidden(other, "t" + i)).isSameAs(hidden.get(i));
        }
        assertThat(permissions.keptCount()).isEqualTo(topicCount * (asked.size() + 1));
    }

    @Test
    void shouldKeepNothingOfHiddenFieldsWhenThereAreNone() {
        final Permissions permissions = of(PermissionRule.allow(List.of("read"), List.of("*"), "a = 1"));

        assertThat(permissions.hidden(BOB, "t")).isSameAs(FieldSelection.NONE);
        assertThat(permissions.keptCount()).isZero();
    }

    @Test
    void shouldBoundWhatItKeepsOfTopicsOfOneAndOfAll() {
        final UserRights rights = new UserRights(List.of(), new AtomicInteger());
        for (int i = 0; i < 3 * UserRights.CONDITION_COUNT_MAX / 2; i++) {
            assertThat(rights.condition(List.of(Action.QUERY), "t" + i)).isNull();
            rights.hidden("t" + i);
        }
        assertThat(rights.keptCount()).isEqualTo(UserRights.CONDITION_COUNT_MAX / 2);

        final Permissions permissions = of(PermissionRule.allow(List.of("query"), List.of("a"), "v = USER('name')"));
        for (int i = 0; i < Permissions.KEPT_COUNT_MAX; i++) {
            permissions.condition(new Principal("u" + i % 512, Set.of("r"), Map.of()), List.of(Action.QUERY), "t" + i);
        }
        assertThat(permissions.keptCount()).isEqualTo(Permissions.KEPT_COUNT_MAX);
        assertThat(permissions.condition(new Principal("v", Set.of("r"), Map.of()), List.of(Action.QUERY), "a"))
                .isEqualTo("v = 'v'");
        assertThat(permissions.keptCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepAndForgetNothingWhenItExplains() {
        final Permissions permissions = of(PermissionRule.allow(List.of("read"), List.of("*"), "v = USER('name')"));
        final String known = permissions.condition(BOB, List.of(Action.QUERY), "t");

        permissions.explain(BOB, Action.QUERY, "other");
        // More users than are kept.
        for (int i = 0; i < 4_100; i++) {
            permissions.explain(new Principal("u" + i, Set.of("r"), Map.of()), Action.QUERY, "t");
        }

        assertThat(permissions.keptCount()).isEqualTo(1);
        assertThat(permissions.condition(BOB, List.of(Action.QUERY), "t")).isSameAs(known);
    }

    @Test
    void shouldExplainThatFiltersAreTooLongTogether() {
        final List<PermissionRule> rules = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            rules.add(PermissionRule.allow(List.of("query"), List.of("t"), "a = '" + i + "x".repeat(4_000) + "'"));
        }
        final Permissions permissions = of(rules.toArray(PermissionRule[]::new));
        final Permissions.Explanation explanation = permissions.explain(BOB, Action.QUERY, "t");

        assertThat(explanation.isAllowed()).isFalse();
        assertThat(explanation.isTooLong()).isTrue();
        assertThat(explanation.rules()).hasSize(70);
        assertThat(explanation.sentence("bob", Action.QUERY, "t"))
                .startsWith("bob may not query t, as its filters are too long together");
        assertThat(permissions.isTooLong(BOB, List.of(Action.QUERY), "t")).isTrue();
        assertThat(permissions.isTooLong(BOB, List.of(Action.SUBSCRIBE), "t")).isFalse();
    }
}
