package io.penstock.broker.security;

import static io.penstock.broker.security.Action.ADMIN_READ;
import static io.penstock.broker.security.Action.ADMIN_WRITE;
import static io.penstock.broker.security.Action.CREATE_TOPIC;
import static io.penstock.broker.security.Action.DELETE;
import static io.penstock.broker.security.Action.DELETE_TOPIC;
import static io.penstock.broker.security.Action.DELIVER;
import static io.penstock.broker.security.Action.DELTA;
import static io.penstock.broker.security.Action.LIST_TOPICS;
import static io.penstock.broker.security.Action.PUBLISH;
import static io.penstock.broker.security.Action.QUERY;
import static io.penstock.broker.security.Action.REPLAY;
import static io.penstock.broker.security.Action.RESET_PUBLISHER;
import static io.penstock.broker.security.Action.STAT;
import static io.penstock.broker.security.Action.SUBSCRIBE;

import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The words for actions in rules of permissions: one for each, and some for several. */
public final class ActionWord {
    /** Actions whose messages a filter may limit. */
    static final Set<Action> OF_MESSAGES = Set.copyOf(EnumSet.of(PUBLISH, DELTA, SUBSCRIBE, QUERY, REPLAY, DELETE));

    /** Actions that are about no topic, whatever stands in its place. */
    static final Set<Action> OF_NO_TOPIC =
            Set.copyOf(EnumSet.of(STAT, LIST_TOPICS, RESET_PUBLISHER, ADMIN_READ, ADMIN_WRITE));

    /** Actions by which messages are sent to who may do them. */
    static final Set<Action> READ = Set.copyOf(EnumSet.of(SUBSCRIBE, QUERY, REPLAY));

    private static final Map<String, Set<Action>> BY_WORD = new LinkedHashMap<>();

    static {
        put("publish", PUBLISH);
        put("delta", DELTA);
        put("subscribe", SUBSCRIBE);
        put("query", QUERY);
        put("replay", REPLAY);
        put("delete", DELETE);
        put("create", CREATE_TOPIC);
        put("deliver", DELIVER);
        put("list", LIST_TOPICS);
        put("stat", STAT);
        put("delete-topic", DELETE_TOPIC);
        put("reset-publisher", RESET_PUBLISHER);
        put("read", SUBSCRIBE, QUERY, REPLAY);
        put("write", PUBLISH, DELTA, DELETE);
        put("admin-read", ADMIN_READ);
        put("admin-write", ADMIN_WRITE);
        put("admin", STAT, DELETE_TOPIC, RESET_PUBLISHER, ADMIN_READ, ADMIN_WRITE);
        BY_WORD.put("all", Set.copyOf(all()));
    }

    private ActionWord() {}

    private static void put(final String word, final Action first, final Action... more) {
        BY_WORD.put(word, Set.copyOf(EnumSet.of(first, more)));
    }

    private static Set<Action> all() {
        final Set<Action> all = EnumSet.noneOf(Action.class);
        BY_WORD.values().forEach(all::addAll);
        return all;
    }

    /** The word for one action. */
    public static String of(final Action action) {
        for (final Map.Entry<String, Set<Action>> entry : BY_WORD.entrySet()) {
            if (entry.getValue().equals(Set.of(action))) {
                return entry.getKey();
            }
        }
        return action.name().toLowerCase(Locale.ROOT);
    }

    /** The words for several actions, in their order. */
    static String of(final List<Action> actions) {
        return actions.stream().map(ActionWord::of).collect(Collectors.joining(", "));
    }

    /**
     * The actions that words stand for.
     *
     * @param words of a rule.
     * @return the actions.
     * @throws IllegalArgumentException at the first word that is none.
     */
    public static Set<Action> actions(final Collection<String> words) {
        final Set<Action> actions = EnumSet.noneOf(Action.class);
        for (final String word : words) {
            final Set<Action> known = BY_WORD.get(word);
            if (known == null) {
                throw new IllegalArgumentException(
                        "no such action: " + word + " (use " + String.join(", ", BY_WORD.keySet()) + ")");
            }
            actions.addAll(known);
        }
        return actions;
    }
}
