package io.penstock.broker.security.audit;

/** What an entry is about. The page {@code docs/operating/audit.md} lists each. */
public enum AuditKind {
    STARTED("started"),
    STOPPED("stopped"),
    LOGGED_ON("loggedOn"),
    LOGON_REFUSED("logonRefused"),
    REFUSED("refused"),
    ADMINISTRATION("administration"),
    DELETED("deleted"),
    RELOADED("reloaded"),
    /** So many entries of one client were left out, as it made too many. */
    OMITTED("omitted"),
    /** So many entries were lost, as writing them was too slow or failed. */
    LOST("lost"),
    /** The file before this one ends with so many bytes that are no entry, as of a crash. */
    TORN("torn"),
    /** Entries are written again after a failure; some of those before it may be here a second time. */
    RESUMED("resumed"),
    /** The file before this one was changed, replaced or removed while the broker wrote it. */
    FILE_CHANGED("fileChanged");

    private final String label;

    AuditKind(final String label) {
        this.label = label;
    }

    /**
     * Its name in the files.
     *
     * @return a word.
     */
    public String label() {
        return label;
    }
}
