package io.penstock.simulator;

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

    /** In memory only, without state. */
    static final String MEMORY = "mem";

    static final int KEY_COUNT = 24;
    static final int GROUP_COUNT = 4;
    static final int VALUE_COUNT = 100;

    private Topics() {}
}
