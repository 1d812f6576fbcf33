package io.penstock.broker.security;

import io.penstock.format.FieldSelection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What one state of the permissions says to users of the same roles, with the same values of the attributes that their rules
 * name, and what was worked out of it so far. Safe on any thread.
 */
final class UserRights {
    /** What is kept of lists of actions: more is worked out each time. */
    private static final int ENTITLEMENT_COUNT_MAX = 256;

    /** What is kept of actions and topics, some six of each topic; when there is more, all of it is worked out again. */
    static final int CONDITION_COUNT_MAX = 16 * 1024;

    /** Topics of which is kept what is hidden. */
    private static final int HIDDEN_COUNT_MAX = 4 * 1024;

    private static final List<Action> READ = List.copyOf(ActionWord.READ);

    private final List<BoundRule> rules;
    private final Map<List<Action>, Entitlement> entitlements = new ConcurrentHashMap<>();
    private final Map<Asked, Optional<String>> conditions = new ConcurrentHashMap<>();
    private final Map<String, FieldSelection> hidden = new ConcurrentHashMap<>();
    private final AtomicInteger keptCount;

    /**
     * Nothing is worked out yet.
     *
     * @param rules     of the users.
     * @param keptCount counts what is kept of topics.
     */
    UserRights(final List<BoundRule> rules, final AtomicInteger keptCount) {
        this.rules = rules;
        this.keptCount = keptCount;
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
        if (entitlements.size() < ENTITLEMENT_COUNT_MAX) {
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
        keep(conditions, new Asked(List.copyOf(actions), topic), Optional.ofNullable(made), CONDITION_COUNT_MAX);
        return made;
    }

    /** Fields of the messages of one topic that are not shown. */
    FieldSelection hidden(final String topic) {
        final FieldSelection known = hidden.get(topic);
        if (known != null) {
            return known;
        }
        final Entitlement entitlement = entitlement(READ);
        final FieldSelection made = entitlement.hidden(topic);
        if (entitlement.isAnyHidden()) {
            keep(hidden, topic, made, HIDDEN_COUNT_MAX);
        }
        return made;
    }

    private <K, V> void keep(final Map<K, V> kept, final K key, final V value, final int countMax) {
        if (kept.size() >= countMax) {
            kept.clear();
        }
        kept.put(key, value);
        keptCount.incrementAndGet();
    }

    /** What is kept of topics. */
    int keptCount() {
        return conditions.size() + hidden.size();
    }
}
