package io.penstock.broker;

import java.util.ArrayList;
import java.util.List;

/**
 * What has come of a wish to read the configuration again. Immutable.
 *
 * @param applied in effect from now on.
 * @param restart differ from what the broker runs with, and take effect when it is started again.
 * @param refused are wrong: what was before goes on.
 */
public record ReloadReport(List<Change> applied, List<Change> restart, List<Refusal> refused) {
    /** Nothing differs. */
    public static final ReloadReport NOTHING = new ReloadReport(List.of(), List.of(), List.of());

    public ReloadReport {
        applied = List.copyOf(applied);
        restart = List.copyOf(restart);
        refused = List.copyOf(refused);
    }

    /**
     * A report of a configuration that is wrong as a whole.
     *
     * @param what   is wrong: a file, or a key.
     * @param reason with the remedy.
     * @return a report that nothing was changed.
     */
    public static ReloadReport refused(final String what, final String reason) {
        return new ReloadReport(List.of(), List.of(), List.of(new Refusal(what, reason)));
    }

    /**
     * What differs between two configurations of one kind.
     *
     * @param path   before the keys, with a dot at its end; empty for none.
     * @param before a record of settings.
     * @param after  another one of the same type.
     * @return changes in the order of the keys.
     */
    public static List<Change> changes(final String path, final Record before, final Record after) {
        return List.copyOf(ConfigTexts.changes(path, before, after).values());
    }

    /**
     * This and another one, of other parts of the same program.
     *
     * @param other that comes after this.
     * @return all of both.
     */
    public ReloadReport and(final ReloadReport other) {
        return new ReloadReport(
                joined(applied, other.applied), joined(restart, other.restart), joined(refused, other.refused));
    }

    private static <T> List<T> joined(final List<T> first, final List<T> second) {
        final List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** For people, a line for each. */
    public List<String> lines() {
        final List<String> lines = new ArrayList<>();
        applied.forEach(change -> lines.add("applied: " + change));
        restart.forEach(change -> lines.add("needs a restart: " + change));
        refused.forEach(refusal -> lines.add("refused: " + refusal));
        return lines;
    }

    /**
     * A value that has changed.
     *
     * @param key    of the configuration; an element of a list has its name after the key of the list.
     * @param before as a file would have it; empty for none.
     * @param after  likewise.
     */
    public record Change(String key, String before, String after) {
        @Override
        public String toString() {
            return key + ": " + shown(before) + " -> " + shown(after);
        }

        private static String shown(final String text) {
            return text.isEmpty() ? "(none)" : text;
        }
    }

    /**
     * Something that is wrong.
     *
     * @param what   a key, or a part of the broker.
     * @param reason with the remedy.
     */
    public record Refusal(String what, String reason) {
        /** The reason alone, when it begins with what it is about. */
        @Override
        public String toString() {
            return reason.startsWith(what + ":") ? reason : what + ": " + reason;
        }
    }
}
