package io.penstock.broker.security;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSelection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** What is worked out of topics for all users, until all of it is forgotten. */
    static final int KEPT_COUNT_MAX = 1024 * 1024;

    /** The attribute that every user has. */
    private static final String NAME = "name";

    private final Map<String, List<Rule>> byRole = new LinkedHashMap<>();
    private final Map<String, IdentityQuotas> quotasByRole = new HashMap<>();

    /** Rights of users that were here; a cache. */
    private final Map<Principal, UserRights> byPrincipal = new ConcurrentHashMap<>();

    /** The same, of all users for whom the same rules say the same; a cache. */
    private final Map<RightsKey, UserRights> byKey = new ConcurrentHashMap<>();

    private final AtomicInteger keptCount = new AtomicInteger();

    private Permissions() {}

    /**
     * What the rights of a user depend on.
     *
     * @param roles  of the user.
     * @param values of the attributes that rules of these roles name, sorted by their names; empty when the user has none.
     */
    private record RightsKey(Set<String> roles, List<Optional<String>> values) {}

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
            permissions.quotasByRole.put(role.name(), role.quotas());
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
        final List<BoundRule> rules = rights(principal).rules();
        return switch (action) {
            case CONNECT -> rules.stream().anyMatch(BoundRule::isAllow);
            // Each topic is asked about as well: a pattern gives no right of its own.
            case SUBSCRIBE_PATTERN ->
                rules.stream()
                        .anyMatch(rule -> rule.isAllow()
                                && (rule.actions().contains(Action.SUBSCRIBE)
                                        || rule.actions().contains(Action.QUERY)));
            default -> isAllowed(rules, action, topic);
        };
    }

    private static boolean isAllowed(final List<BoundRule> rules, final Action action, final String topic) {
        boolean isAllowed = false;
        for (final BoundRule rule : rules) {
            if (rule.isAbout(action, topic)) {
                if (!rule.isAllow() && rule.condition().isEmpty()) {
                    return false;
                }
                isAllowed |= rule.isAllow();
            }
        }
        return isAllowed;
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
        for (final BoundRule rule : rights(principal).rules()) {
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
        return rights(principal).entitlement(actions);
    }

    @Override
    public @Nullable String condition(final Principal principal, final List<Action> actions, final String topic) {
        return rights(principal).condition(actions, topic);
    }

    /**
     * Whether the rules allow something to a client, but their filters are too long together, so that it is denied.
     *
     * @param principal who asks.
     * @param actions   all of which it needs.
     * @param topic     it is about.
     * @return false as well when a rule or the lack of one denies it.
     */
    boolean isTooLong(final Principal principal, final List<Action> actions, final String topic) {
        for (final Action action : actions) {
            if (!isAllowed(principal, action, topic)) {
                return false;
            }
        }
        return condition(principal, actions, topic) == null;
    }

    @Override
    public IdentityQuotas quotas(final Principal principal) {
        IdentityQuotas quotas = quotasByRole.getOrDefault(Role.EVERYONE, IdentityQuotas.UNSAID);
        for (final String role : principal.roles()) {
            quotas = quotas.higher(quotasByRole.getOrDefault(role, IdentityQuotas.UNSAID));
        }
        return quotas;
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
        // Nothing of it is kept: who asks about many users and topics is not to have forgotten what is known of those
        // that
        // are here.
        final UserRights rights = new UserRights(bound(principal), new AtomicInteger());
        final List<BoundRule> about = rights.rules().stream()
                .filter(rule -> rule.isAbout(action, topic))
                .toList();
        final String condition = rights.condition(List.of(action), topic);
        final boolean isDenied = about.stream()
                .anyMatch(rule -> !rule.isAllow() && rule.condition().isEmpty());
        final boolean isTooLong = condition == null && isAllowed(about, action, topic);
        if (condition == null && !isDenied && !isTooLong) {
            return new Explanation(null, "", withoutAttribute(principal, action, topic), false);
        }
        final List<String> places = about.stream()
                .filter(rule -> !isDenied || !rule.isAllow())
                .map(BoundRule::place)
                .toList();
        final boolean showsFields = condition != null && ActionWord.READ.contains(action);
        return new Explanation(condition, showsFields ? rights.hidden(topic).text() : "", places, isTooLong);
    }

    /**
     * Fields of a topic's messages that a user does not see, whichever way it reads them.
     *
     * @param principal who asks.
     * @param topic     name of it.
     * @return none, when all are shown or none of the messages.
     */
    @Override
    public FieldSelection hidden(final Principal principal, final String topic) {
        return rights(principal).hidden(topic);
    }

    /** The rules that would allow something if the user had the attributes of their filters. */
    private List<String> withoutAttribute(final Principal principal, final Action action, final String topic) {
        return rulesOf(principal)
                .filter(rule -> rule.rule.isAllow() && rule.bind(principal) == null)
                .filter(rule -> new BoundRule(true, rule.actions, rule.topics, "", FieldSelection.NONE, "")
                        .isAbout(action, topic))
                .map(rule -> rule.place + " (" + rule.lack(principal) + ")")
                .toList();
    }

    private List<BoundRule> bound(final Principal principal) {
        return rulesOf(principal)
                .map(rule -> rule.bind(principal))
                .filter(Objects::nonNull)
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
     * @param hidden    fields that are not shown, as a list; empty for none.
     * @param rules     that made it, each with its role, its number and its text; none when no rule allows the action.
     * @param isTooLong whether it is a refusal because the filters of these rules are too long together.
     */
    public record Explanation(@Nullable String condition, String hidden, List<String> rules, boolean isTooLong) {
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
            if (isTooLong) {
                return user + " may not " + object
                        + ", as its filters are too long together (use fewer or shorter ones), by:";
            }
            if (condition == null) {
                return user + " may not " + object + (rules.isEmpty() ? ": no rule allows it" : ", by:");
            }
            return user + " may " + object + (condition.isEmpty() ? "" : " where " + condition)
                    + (hidden.isEmpty() ? "" : " without " + hidden) + ", by:";
        }
    }

    /** The roles with their rules, in the order in which they were given. */
    public Map<String, List<String>> rules() {
        final Map<String, List<String>> texts = new LinkedHashMap<>();
        byRole.forEach((role, rules) ->
                texts.put(role, rules.stream().map(rule -> rule.rule.toString()).toList()));
        return texts;
    }

    private void forget() {
        byPrincipal.clear();
        byKey.clear();
        keptCount.set(0);
    }

    /** What was worked out of topics since all was forgotten. */
    int keptCount() {
        return keptCount.get();
    }

    private UserRights rights(final Principal principal) {
        if (keptCount.get() >= KEPT_COUNT_MAX) {
            forget();
        }
        final UserRights known = byPrincipal.get(principal);
        if (known != null) {
            return known;
        }
        if (byPrincipal.size() >= PRINCIPAL_COUNT_MAX) {
            forget();
        }
        final List<Optional<String>> values = rulesOf(principal)
                .flatMap(rule -> rule.attributes.stream())
                .distinct()
                .sorted()
                .map(name -> Optional.ofNullable(Rule.value(principal, name)))
                .toList();
        final UserRights rights = byKey.computeIfAbsent(
                new RightsKey(principal.roles(), values), key -> new UserRights(bound(principal), keptCount));
        byPrincipal.put(principal, rights);
        return rights;
    }

    /**
     * A rule with what was worked out of it once.
     *
     * @param attributes of users that its filter names.
     * @param place      for people.
     */
    private record Rule(
            PermissionRule rule,
            Set<Action> actions,
            List<TopicRange> topics,
            Set<String> attributes,
            FieldSelection hidden,
            String place) {
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
                    rule.hidden(),
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
            return new BoundRule(rule.isAllow(), actions, topics, condition == null ? "" : condition, hidden, place);
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

        /** Why the condition cannot be said for a user. */
        String lack(final Principal principal) {
            final List<String> missing = attributes.stream()
                    .filter(name -> value(principal, name) == null)
                    .sorted()
                    .toList();
            return missing.isEmpty()
                    ? "the value of an attribute is no text that a filter may have"
                    : "the user lacks the attribute " + String.join(", ", missing);
        }

        private static @Nullable String value(final Principal principal, final String name) {
            return name.equals(NAME) ? principal.name() : principal.attributes().get(name);
        }
    }
}
