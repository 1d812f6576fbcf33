package io.penstock.system.permission;

import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Rules, what is in the topics, and cases. {@code @} in names stands for the beginning of all names of one run.
 *
 * @param roles    rules by role.
 * @param before   what was done to the topics before a certain moment.
 * @param after    what was done after it.
 * @param commands the cases, one after the other.
 */
record Scene(Map<String, List<Rule>> roles, List<Change> before, List<Change> after, List<Command> commands) {
    static final List<String> KEYED = List.of("orders", "orders.eu", "news", "spare");
    static final String STATELESS = "plain";

    /** The rules with names of one run. */
    RuleBook book(final String prefix) {
        final Map<String, List<Rule>> named = new java.util.TreeMap<>();
        roles.forEach((role, rules) -> named.put(
                role,
                rules.stream()
                        .map(rule -> new Rule(
                                rule.isAllow(),
                                rule.words(),
                                rule.topics().stream()
                                        .map(topic -> topic.replace(
                                                "@", topic.startsWith("/") ? prefix.replace(".", "\\.") : prefix))
                                        .toList(),
                                rule.condition(),
                                rule.hide()))
                        .toList()));
        return new RuleBook(named);
    }

    @Override
    public String toString() {
        final StringJoiner text = new StringJoiner("\n  ");
        roles.forEach((role, rules) -> rules.forEach(rule -> text.add("role " + role + ": " + rule)));
        before.forEach(change -> text.add("before: " + change));
        after.forEach(change -> text.add("after: " + change));
        commands.forEach(command -> text.add("case: " + command));
        return text.toString();
    }
}
