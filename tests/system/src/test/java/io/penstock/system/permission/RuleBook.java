package io.penstock.system.permission;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the rules say, worked out rule by rule and message by message, from the words of the page about permissions alone.
 *
 * @param roles rules by role.
 */
record RuleBook(Map<String, List<Rule>> roles) {
    private static final String EVERYONE = "everyone";
    private static final Set<String> OF_NO_TOPIC =
            Set.of("stat", "list", "reset-publisher", "admin-read", "admin-write");
    private static final Map<String, Set<String>> WORDS = Map.of(
            "read", Set.of("subscribe", "query", "replay"),
            "write", Set.of("publish", "delta", "delete"),
            "admin", Set.of("stat", "delete-topic", "reset-publisher", "admin-read", "admin-write"));

    /** Whether the user is let in: some rule allows it something. */
    boolean mayConnect(final User user) {
        return rules(user).stream().anyMatch(Rule::isAllow);
    }

    /** Whether a pattern of topics is taken from the user. */
    boolean mayGivePattern(final User user) {
        return rules(user).stream()
                .anyMatch(rule -> rule.isAllow() && (means(rule, "subscribe") || means(rule, "query")));
    }

    /** Whether nothing at all is allowed, whatever is in the message. */
    boolean isDenied(final User user, final String action, final String topic) {
        boolean isAllowed = false;
        for (final Rule rule : rules(user)) {
            if (isAbout(rule, action, topic)) {
                if (!rule.isAllow() && rule.condition() == null) {
                    return true;
                }
                isAllowed |= rule.isAllow();
            }
        }
        return !isAllowed;
    }

    /** Whether what is allowed depends on the message. */
    boolean isLimited(final User user, final String action, final String topic) {
        boolean isEvery = false;
        for (final Rule rule : rules(user)) {
            if (isAbout(rule, action, topic)) {
                if (!rule.isAllow()) {
                    return true;
                }
                isEvery |= rule.condition() == null;
            }
        }
        return !isEvery;
    }

    /** Whether an action is allowed with a message. */
    boolean allows(final User user, final String action, final String topic, final Sample sample) {
        boolean isAllowed = false;
        for (final Rule rule : rules(user)) {
            if (isAbout(rule, action, topic)) {
                final Truth truth =
                        rule.condition() == null ? Truth.TRUE : rule.condition().of(sample, user);
                if (!rule.isAllow() && truth != Truth.FALSE) {
                    return false;
                }
                isAllowed |= rule.isAllow() && truth == Truth.TRUE;
            }
        }
        return isAllowed;
    }

    /** The fields of a topic's messages that a user does not see, whichever way it reads them. */
    Set<String> hidden(final User user, final String topic) {
        final Set<String> hidden = new TreeSet<>();
        for (final String action : List.of("subscribe", "query", "replay")) {
            hidden.addAll(hidden(user, action, topic));
        }
        return hidden;
    }

    /** What all rules without a filter hide; when there is none, what any rule hides. */
    private Set<String> hidden(final User user, final String action, final String topic) {
        @Nullable Set<String> always = null;
        final Set<String> sometimes = new TreeSet<>();
        for (final Rule rule : rules(user)) {
            if (rule.isAllow() && isAbout(rule, action, topic)) {
                final Set<String> ofRule = new TreeSet<>();
                rule.hide().forEach(each -> ofRule.add(each.replace("/", "")));
                if (rule.condition() != null) {
                    sometimes.addAll(ofRule);
                } else if (always == null) {
                    always = ofRule;
                } else {
                    always.retainAll(ofRule);
                }
            }
        }
        return always == null ? sometimes : always;
    }

    /** The rules of a user; those whose filter names an attribute that it lacks are none, or deny everything. */
    private List<Rule> rules(final User user) {
        final List<Rule> rules = new ArrayList<>();
        roles.forEach((role, all) -> {
            if (role.equals(EVERYONE) || user.roles().contains(role)) {
                for (final Rule rule : all) {
                    final boolean isWhole = rule.condition() == null
                            || rule.condition().attributes().stream().allMatch(each -> user.attribute(each) != null);
                    if (isWhole) {
                        rules.add(rule);
                    } else if (!rule.isAllow()) {
                        rules.add(new Rule(false, rule.words(), rule.topics(), null, List.of()));
                    }
                }
            }
        });
        return rules;
    }

    private static boolean isAbout(final Rule rule, final String action, final String topic) {
        if (!means(rule, action)) {
            return false;
        }
        if (OF_NO_TOPIC.contains(action)) {
            return rule.isAllow() || rule.topics().contains("*");
        }
        return rule.topics().stream().anyMatch(range -> isIn(range, topic));
    }

    private static boolean means(final Rule rule, final String action) {
        return rule.words().stream()
                .anyMatch(word -> word.equals(action)
                        || word.equals("all")
                        || WORDS.getOrDefault(word, Set.of()).contains(action));
    }

    private static boolean isIn(final String range, final String topic) {
        if (range.startsWith("/")) {
            return Pattern.matches(range.substring(1, range.length() - 1), topic);
        }
        return range.endsWith("*") ? topic.startsWith(range.substring(0, range.length() - 1)) : topic.equals(range);
    }
}
