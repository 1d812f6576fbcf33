package io.penstock.broker.security.user;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How the users differ from those that there were. Immutable.
 *
 * @param countBefore users that there were.
 * @param count       users that there are.
 * @param added       names of those that there were not, in order.
 * @param changed     names of those of whom anything is other now.
 * @param removed     names of those that there are no more.
 */
public record UserChanges(
        int countBefore, int count, List<String> added, List<String> changed, List<String> removed) {
    private static final int SHOWN_COUNT_MAX = 20;

    public UserChanges {
        added = List.copyOf(added);
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
    }

    static UserChanges between(final UserTable before, final UserTable after) {
        final List<String> added = new ArrayList<>();
        final List<String> changed = new ArrayList<>();
        final List<String> removed = new ArrayList<>();
        final TreeSet<String> names = new TreeSet<>(before.names());
        names.addAll(after.names());
        for (final String name : names) {
            final @Nullable User was = before.find(name);
            final @Nullable User is = after.find(name);
            if (was == null) {
                added.add(name);
            } else if (is == null) {
                removed.add(name);
            } else if (!is.equals(was)) {
                changed.add(name);
            }
        }
        return new UserChanges(
                before.names().size(), after.names().size(), added, changed, removed);
    }

    /** Whether all users are what they were. */
    public boolean isEmpty() {
        return added.isEmpty() && changed.isEmpty() && removed.isEmpty();
    }

    /** How many users there were, for people. */
    public String before() {
        return counted(countBefore);
    }

    /** How many there are and which of them are others, for people; of very many names only the first. */
    public String after() {
        final List<String> parts = new ArrayList<>();
        addTo(parts, "added", added);
        addTo(parts, "changed", changed);
        addTo(parts, "removed", removed);
        return counted(count) + " (" + String.join("; ", parts) + ")";
    }

    private static void addTo(final List<String> parts, final String what, final List<String> names) {
        if (!names.isEmpty()) {
            final String shown = String.join(", ", names.subList(0, Math.min(names.size(), SHOWN_COUNT_MAX)));
            final int more = names.size() - SHOWN_COUNT_MAX;
            parts.add(what + " " + shown + (more > 0 ? " and " + more + " more" : ""));
        }
    }

    private static String counted(final int count) {
        return count == 1 ? "1 user" : count + " users";
    }
}
