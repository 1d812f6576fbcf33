package io.penstock.simulator;

import java.util.Map;

/** The topics of every run. */
final class Topics {
    /** Written to files, without state. */
    static final String LOG = "log";

    /** With state; the key is the field {@code id}. */
    static final String KEYED = "kv";

    /** With state; publishers give the key and an expiration. */
    static final String EXPIRING = "exp";

    /** Computed of {@link #KEYED}. */
    static final String VIEW = "view";

    static final String VIEW_SELECT = "g, COUNT(*) AS n, SUM(v) AS s";

    /** With state; the key is the field {@code id}. Only of runs with a join. */
    static final String REFS = "ref";

    /** Pairs of {@link #KEYED} and {@link #REFS}; see {@link ModelJoin}. */
    static final String JOIN = "join";

    /** Groups of {@link #JOIN}. */
    static final String SUMS = "sums";

    /** Of the last messages of a topic; see {@link ModelWindow}. */
    static final String WINDOW = "last";

    /** In memory only, without state. */
    static final String MEMORY = "mem";

    static final int KEY_COUNT = 24;
    static final int REF_COUNT = 6;
    static final int GROUP_COUNT = 4;
    static final int VALUE_COUNT = 100;

    private Topics() {}

    /** Whether the broker computes it. */
    static boolean isView(final String topic) {
        return topic.equals(VIEW) || topic.equals(JOIN) || topic.equals(SUMS) || topic.equals(WINDOW);
    }

    /** What distinguishes a record from others; empty when it has no such thing. */
    static String key(final String topic, final String given, final Map<String, String> record) {
        return switch (topic) {
            case KEYED, REFS -> record.getOrDefault("id", "");
            case EXPIRING -> given;
            case VIEW, SUMS, WINDOW -> record.getOrDefault("g", "");
            case JOIN ->
                record.containsKey("r") ? record.get("id") + "/" + record.get("r") : record.getOrDefault("id", "");
            default -> throw new Violation("a record with a key of topic " + topic);
        };
    }
}
