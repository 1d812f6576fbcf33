package io.penstock.broker.security;

import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What one state of the permissions says to users of the same roles, with the same values of the attributes that their rules
 * name, and what was worked out of it so far. Safe on any thread.
 */
final class UserRights {
    /** What is kept of actions and topics: more is worked out each time. */
    private static final int KEPT_MAX = 256;

    private final List<BoundRule> rules;
    private final Map<List<Action>, Entitlement> entitlements = new ConcurrentHashMap<>();
    private final Map<Asked, Optional<String>> conditions = new ConcurrentHashMap<>();

    UserRights(final List<BoundRule> rules) {
        this.rules = rules;
    }

    /** Something that users have asked for. */
    private record Asked(List<Action> actions, String topic) {}

    List<BoundRule> rules() {
        return rules;
    }

    /** Of the messages of each topic; rules that say the same are the same, in whatever order they stand. */
    Entitlement entitlement(final List<Action> actions) {
        final Entitlement known = entitlements.get(actions);
        if (known != null) {
            return known;
        }
        final Set<Action> wanted = EnumSet.copyOf(actions);
        if (rules.stream().anyMatch(rule -> !rule.hidden().paths().isEmpty())) {
            // What is hidden depends on all that is said of reading.
            wanted.addAll(ActionWord.READ);
        }
        final Entitlement made = new Entitlement(
                actions,
                rules.stream()
                        .filter(rule -> wanted.stream().anyMatch(rule.actions()::contains))
                        .map(rule -> rule.forActions(wanted))
                        .distinct()
                        .map(rule -> Map.entry(rule.toString(), rule))
                        .sorted(Comparator.comparing(Map.Entry::getKey))
                        .map(Map.Entry::getValue)
                        .toList());
        if (entitlements.size() < KEPT_MAX) {
            entitlements.put(made.actions(), made);
        }
        return made;
    }

    /** Of the messages of one topic: empty for every one, null when an action is denied. */
    @Nullable
    String condition(final List<Action> actions, final String topic) {
        final Asked asked = new Asked(actions, topic);
        final Optional<String> known = conditions.get(asked);
        if (known != null) {
            return known.orElse(null);
        }
        final String made = entitlement(actions).condition(topic);
        if (conditions.size() >= KEPT_MAX) {
            conditions.clear();
        }
        conditions.put(new Asked(List.copyOf(actions), topic), Optional.ofNullable(made));
        return made;
    }
}
