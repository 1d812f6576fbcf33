package io.penstock.broker.security;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What users may do, by their roles. What no rule allows is denied, and what a rule denies is denied whatever others allow.
 * A filter limits a rule to messages that satisfy it: rules that allow are alternatives, and a message of which the filter
 * of a denial is true, or unknown, is denied.
 *
 * <p>One state of the permissions: another one takes its place as a whole. Immutable, for any thread.
 */
public final class Permissions implements Authorizer {
    private static final int ROLE_COUNT_MAX = 4096;
    private static final int PRINCIPAL_COUNT_MAX = 4096;

    /** The attribute that every user has. */
    private static final String NAME = "name";

    private final Map<String, List<Rule>> byRole = new LinkedHashMap<>();

    /** Rules as they are for users that were here; a cache. */
    private final Map<Principal, List<BoundRule>> byPrincipal = new ConcurrentHashMap<>();

    private Permissions() {}

    /**
     * Takes the rules of roles.
     *
     * @param roles each with a name of its own.
     * @return the permissions.
     * @throws IllegalArgumentException with the role, the rule and what is wrong with it.
     */
    public static Permissions of(final List<Role> roles) {
        if (roles.size() > ROLE_COUNT_MAX) {
            throw new IllegalArgumentException("roles: " + roles.size() + " (use at most " + ROLE_COUNT_MAX + ")");
        }
        final Permissions permissions = new Permissions();
        for (final Role role : roles) {
            role.check();
            final List<Rule> rules = new ArrayList<>();
            for (int i = 0; i < role.rules().size(); i++) {
                rules.add(Rule.of(role.rules().get(i), "role " + role.name() + ", rule " + (i + 1)));
            }
            if (permissions.byRole.put(role.name(), rules) != null) {
                throw new IllegalArgumentException("role " + role.name() + ": there are two (give one all the rules)");
            }
        }
        return permissions;
    }

    /** The names of the roles, in the order in which they were given. */
    public List<String> roles() {
        return List.copyOf(byRole.keySet());
    }

    @Override
    public boolean isAllowed(final Principal principal, final Action action, final String topic) {
        final List<BoundRule> rules = rules(principal);
        return switch (action) {
            case CONNECT -> rules.stream().anyMatch(BoundRule::isAllow);
            // Each topic is asked about as well: a pattern gives no right of its own.
            case SUBSCRIBE_PATTERN ->
                rules.stream()
                        .anyMatch(rule -> rule.isAllow()
                                && (rule.actions().contains(Action.SUBSCRIBE)
                                        || rule.actions().contains(Action.QUERY)));
            default -> new Entitlement(List.of(action), rules).parts(action, topic) != null;
        };
    }

    /**
     * Whether a client may do something with one topic or another, or about none; for those who offer it things to do.
     *
     * @param principal who asks.
     * @param action    what is asked.
     * @return false when it is of no use to ask for any topic.
     */
    public boolean isAllowedAnywhere(final Principal principal, final Action action) {
        if (action == Action.CONNECT || action == Action.SUBSCRIBE_PATTERN) {
            return isAllowed(principal, action, "");
        }
        boolean isAllowed = false;
        for (final BoundRule rule : rules(principal)) {
            if (rule.actions().contains(action)) {
                if (rule.isAllow()) {
                    isAllowed = true;
                } else if (rule.condition().isEmpty() && rule.topics().stream().anyMatch(TopicRange::isAll)) {
                    return false;
                }
            }
        }
        return isAllowed;
    }

    @Override
    public Entitlement entitlement(final Principal principal, final List<Action> actions) {
        return new Entitlement(
                actions,
                rules(principal).stream()
                        .filter(rule -> actions.stream().anyMatch(rule.actions()::contains))
                        .map(rule -> rule.forActions(actions))
                        .distinct()
                        .sorted(Comparator.comparing(BoundRule::toString))
                        .toList());
    }

    /**
     * Explains a decision.
     *
     * @param principal who asks.
     * @param action    what is asked.
     * @param topic     it is about; empty for none.
     * @return the decision, and the rules that made it.
     */
    public Explanation explain(final Principal principal, final Action action, final String topic) {
        final List<BoundRule> about = rules(principal).stream()
                .filter(rule -> rule.isAbout(action, topic))
                .toList();
        final String condition = new Entitlement(List.of(action), rules(principal)).condition(topic);
        final boolean isDenied = about.stream()
                .anyMatch(rule -> !rule.isAllow() && rule.condition().isEmpty());
        if (condition == null && !isDenied) {
            return new Explanation(null, withoutAttribute(principal, action, topic));
        }
        final List<String> places = about.stream()
                .filter(rule -> !isDenied || !rule.isAllow())
                .map(BoundRule::place)
                .toList();
        return new Explanation(condition, places);
    }

    /** The rules that would allow something if the user had the attributes of their filters. */
    private List<String> withoutAttribute(final Principal principal, final Action action, final String topic) {
        return rulesOf(principal)
                .filter(rule -> rule.rule.isAllow() && rule.bind(principal) == null)
                .filter(rule -> new BoundRule(true, rule.actions, rule.topics, "", "").isAbout(action, topic))
                .map(rule -> rule.place + " (the user lacks an attribute of the filter)")
                .toList();
    }

    private Stream<Rule> rulesOf(final Principal principal) {
        return Stream.concat(
                        Stream.of(Role.EVERYONE), principal.roles().stream().sorted())
                .distinct()
                .flatMap(role -> byRole.getOrDefault(role, List.of()).stream());
    }

    /**
     * A decision.
     *
     * @param condition of the messages that it is about; empty for every one; null when it is a refusal.
     * @param rules     that made it, each with its role, its number and its text; none when no rule allows the action.
     */
    public record Explanation(@Nullable String condition, List<String> rules) {
        /** Whether it is allowed, at least for some messages. */
        public boolean isAllowed() {
            return condition != null;
        }

        /**
         * The decision in a sentence.
         *
         * @param user   name of who asks.
         * @param action that was asked.
         * @param topic  it is about; empty for none.
         * @return without the rules, which follow when it ends with a colon.
         */
        public String sentence(final String user, final Action action, final String topic) {
            final String object = ActionWord.of(action) + (topic.isEmpty() ? "" : " " + topic);
            if (condition == null) {
                return user + " may not " + object + (rules.isEmpty() ? ": no rule allows it" : ", by:");
            }
            return user + " may " + object + (condition.isEmpty() ? "" : " where " + condition) + ", by:";
        }
    }

    /** The roles with their rules, in the order in which they were given. */
    public Map<String, List<String>> rules() {
        final Map<String, List<String>> texts = new LinkedHashMap<>();
        byRole.forEach((role, rules) ->
                texts.put(role, rules.stream().map(rule -> rule.rule.toString()).toList()));
        return texts;
    }

    private List<BoundRule> rules(final Principal principal) {
        final List<BoundRule> known = byPrincipal.get(principal);
        if (known != null) {
            return known;
        }
        if (byPrincipal.size() >= PRINCIPAL_COUNT_MAX) {
            byPrincipal.clear();
        }
        final List<BoundRule> bound = rulesOf(principal)
                .map(rule -> rule.bind(principal))
                .filter(Objects::nonNull)
                .toList();
        byPrincipal.put(principal, bound);
        return bound;
    }

    /**
     * A rule with what was worked out of it once.
     *
     * @param attributes of users that its filter names.
     * @param place      for people.
     */
    private record Rule(
            PermissionRule rule, Set<Action> actions, List<TopicRange> topics, Set<String> attributes, String place) {
        static Rule of(final PermissionRule rule, final String where) {
            final Set<String> attributes = new HashSet<>();
            if (!rule.filter().isBlank()) {
                FilterCompiler.boundText(rule.filter(), FilterLimits.DEFAULTS, name -> {
                    attributes.add(name);
                    return "";
                });
            }
            return new Rule(
                    rule,
                    Set.copyOf(rule.actions()),
                    rule.topics().stream().map(TopicRange::of).toList(),
                    Set.copyOf(attributes),
                    where + ": " + rule);
        }

        /** The rule of a user; null when it is about nothing, for want of an attribute. */
        @Nullable
        BoundRule bind(final Principal principal) {
            String condition = "";
            if (!rule.filter().isBlank()) {
                condition = condition(principal);
                if (condition == null && rule.isAllow()) {
                    return null;
                }
            }
            // What cannot be said of a denial's messages denies all of them.
            return new BoundRule(rule.isAllow(), actions, topics, condition == null ? "" : condition, place);
        }

        private @Nullable String condition(final Principal principal) {
            for (final String name : attributes) {
                if (value(principal, name) == null) {
                    return null;
                }
            }
            try {
                return FilterCompiler.boundText(
                        rule.filter(), FilterLimits.DEFAULTS, name -> String.valueOf(value(principal, name)));
            } catch (final FilterException e) {
                // The value is no text that a filter may have.
                return null;
            }
        }

        private static @Nullable String value(final Principal principal, final String name) {
            return name.equals(NAME) ? principal.name() : principal.attributes().get(name);
        }
    }
}
