package io.penstock.broker.security;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Which messages of each topic a client may do something with, by the permissions of one moment. Equal to one that says the same
 * by the same rules. What it says never changes; what was worked out of it is kept. Safe on any thread.
 */
public final class Entitlement {
    /** Conditions that are kept, of topics that different rules are about: more are worked out each time. */
    private static final int CONDITION_COUNT_MAX = 256;

    /** Nothing may be done with whatever topic: it stands for what cannot be decided, and is equal to nothing else. */
    public static final Entitlement NOTHING = new Entitlement(List.of(Action.CONNECT), List.of());

    private final List<Action> actions;
    private final List<BoundRule> rules;
    private final boolean isAnyHidden;

    /** By the rules that are about a topic. */
    private final Map<List<BitSet>, Optional<String>> conditions = new ConcurrentHashMap<>();

    /**
     * Nothing is worked out yet.
     *
     * @param actions all of which have to be allowed.
     * @param rules   of the client.
     */
    Entitlement(final List<Action> actions, final List<BoundRule> rules) {
        this.actions = List.copyOf(actions);
        this.rules = List.copyOf(rules);
        isAnyHidden =
                this.rules.stream().anyMatch(rule -> !rule.hidden().paths().isEmpty());
    }

    List<Action> actions() {
        return actions;
    }

    List<BoundRule> rules() {
        return rules;
    }

    /** Which of the rules are about a topic, for each of the actions: topics of which these are the same have one condition. */
    List<BitSet> rulesAbout(final String topic) {
        final List<BitSet> about = new ArrayList<>(actions.size());
        for (final Action action : actions) {
            final BitSet ofAction = new BitSet();
            for (int i = 0; i < rules.size(); i++) {
                if (rules.get(i).isAbout(action, topic)) {
                    ofAction.set(i);
                }
            }
            about.add(ofAction);
        }
        return about;
    }

    /**
     * The condition on messages of a topic.
     *
     * @param topic name of it.
     * @return text in canonical form; empty for every message; null when nothing may be done with any of them, or the rules
     *     say more than {@link FilterLimits#COMBINED} has room for.
     */
    public @Nullable String condition(final String topic) {
        final List<BitSet> about = rulesAbout(topic);
        final Optional<String> known = conditions.get(about);
        if (known != null) {
            return known.orElse(null);
        }
        final String made = condition(about);
        if (conditions.size() < CONDITION_COUNT_MAX) {
            conditions.put(about, Optional.ofNullable(made));
        }
        return made;
    }

    private @Nullable String condition(final List<BitSet> about) {
        try {
            return combined(about);
        } catch (final FilterException e) {
            return null;
        }
    }

    private @Nullable String combined(final List<BitSet> about) {
        String condition = "";
        for (final BitSet ofAction : about) {
            final String next = condition(ofAction);
            if (next == null) {
                return null;
            }
            condition = next.equals(condition) ? condition : FilterCompiler.allOf(condition, next);
        }
        return condition;
    }

    /**
     * Whether a filter depends on hidden fields, so that what it finds tells of them.
     *
     * @param hidden fields.
     * @param filter in canonical form; empty for every message.
     */
    public static boolean tells(final FieldSelection hidden, final String filter) {
        return !filter.isEmpty()
                && !hidden.paths().isEmpty()
                && hidden.firstTouched(FilterCompiler.compile(filter, new FieldSet(), FilterLimits.COMBINED)
                                .ownFields())
                        != null;
    }

    /**
     * A filter that finds its condition by the topic, without compiling anything then.
     *
     * @param of of the client itself, which is the result's from now on; null when it has none.
     * @return owned by the agent that gets it.
     */
    public Filter filter(final @Nullable Filter of) {
        return new EntitledFilter(this, of);
    }

    /** Some of the rules, denials as the conditions that they leave; null when they deny everything. */
    @Nullable
    Parts parts(final BitSet about) {
        final TreeSet<String> allows = new TreeSet<>();
        final TreeSet<String> leaves = new TreeSet<>();
        boolean isEveryAllowed = false;
        for (int i = about.nextSetBit(0); i >= 0; i = about.nextSetBit(i + 1)) {
            final BoundRule rule = rules.get(i);
            if (!rule.isAllow()) {
                if (rule.condition().isEmpty()) {
                    return null;
                }
                leaves.add(not(rule.condition()));
            } else if (rule.condition().isEmpty()) {
                isEveryAllowed = true;
            } else {
                allows.add(rule.condition());
            }
        }
        if (!isEveryAllowed && allows.isEmpty()) {
            return null;
        }
        return new Parts(isEveryAllowed ? List.of() : List.copyOf(allows), List.copyOf(leaves));
    }

    /**
     * The fields of a topic's messages that the client does not see, by whatever rule it reads them: what all rules without a
     * filter hide; where there is none, what any rule hides, since a message may be shown by that one alone.
     *
     * @param topic name of it.
     * @return none, when all are shown.
     */
    public FieldSelection hidden(final String topic) {
        if (!isAnyHidden) {
            return FieldSelection.NONE;
        }
        FieldSelection hidden = FieldSelection.NONE;
        for (final Action action : ActionWord.READ) {
            hidden = hidden.union(hidden(action, topic));
        }
        return hidden;
    }

    /** Whether a rule hides a field of whatever topic. */
    boolean isAnyHidden() {
        return isAnyHidden;
    }

    private FieldSelection hidden(final Action action, final String topic) {
        FieldSelection always = null;
        FieldSelection sometimes = FieldSelection.NONE;
        for (final BoundRule rule : rules) {
            if (rule.isAllow() && rule.isAbout(action, topic)) {
                if (rule.condition().isEmpty()) {
                    always = always == null ? rule.hidden() : always.intersection(rule.hidden());
                } else {
                    sometimes = sometimes.union(rule.hidden());
                }
            }
        }
        return always == null ? sometimes : always;
    }

    static String not(final String condition) {
        return "NOT (" + condition + ")";
    }

    private @Nullable String condition(final BitSet about) {
        final Parts parts = parts(about);
        if (parts == null) {
            return null;
        }
        final List<String> all = new ArrayList<>();
        if (!parts.any().isEmpty()) {
            all.add("(" + String.join(") OR (", parts.any()) + ")");
        }
        all.addAll(parts.all());
        if (all.isEmpty()) {
            return "";
        }
        return FilterCompiler.canonicalText("(" + String.join(") AND (", all) + ")", FilterLimits.COMBINED);
    }

    @Override
    public boolean equals(final @Nullable Object other) {
        return other instanceof Entitlement same && actions.equals(same.actions) && rules.equals(same.rules);
    }

    @Override
    public int hashCode() {
        return 31 * actions.hashCode() + rules.hashCode();
    }

    @Override
    public String toString() {
        return "Entitlement[actions=" + actions + ", rules=" + rules + "]";
    }

    /**
     * Conditions on the messages of a topic.
     *
     * @param any one of which holds; empty when none has to.
     * @param all that hold.
     */
    record Parts(List<String> any, List<String> all) {}
}
