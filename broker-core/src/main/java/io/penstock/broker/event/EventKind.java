package io.penstock.broker.event;

import java.lang.System.Logger.Level;

/** The kinds of events. The page {@code docs/operating/events.md} lists each, with what to do about it. */
public enum EventKind {
    SETTINGS("broker", "settings", Level.INFO, 50),
    INSECURE_LISTEN("broker", "insecureListen", Level.WARNING),
    LISTENING("broker", "listening", Level.INFO, 50),
    DRAINING("broker", "draining", Level.INFO),
    DRAINED("broker", "drained", Level.INFO),
    DRAIN_TIMED_OUT("broker", "drainTimedOut", Level.WARNING),
    STOPPED("broker", "stopped", Level.INFO),
    SIGNAL("broker", "signal", Level.INFO),
    RELOADED("broker", "reloaded", Level.INFO),
    SETTING_CHANGED("broker", "settingChanged", Level.INFO, 50),
    RESTART_NEEDED("broker", "restartNeeded", Level.WARNING, 50),
    RELOAD_REFUSED("broker", "reloadRefused", Level.WARNING, 50),
    ERROR("broker", "error", Level.ERROR),
    LONG_DUTY_CYCLE("broker", "longDutyCycle", Level.WARNING, 1),
    EVENTS_SUPPRESSED("broker", "eventsSuppressed", Level.WARNING, 100),

    CONNECTION_REFUSED("transport", "connectionRefused", Level.WARNING),
    CONNECTION_LOST("transport", "connectionLost", Level.DEBUG),
    PROTOCOL_ERROR("transport", "protocolError", Level.WARNING),
    OUT_OF_DESCRIPTORS("transport", "outOfDescriptors", Level.ERROR, 1),

    CERTIFICATE("tls", "certificate", Level.INFO),
    CERTIFICATE_ENDS_SOON("tls", "certificateEndsSoon", Level.WARNING),
    CERTIFICATE_ENDS("tls", "certificateEnds", Level.ERROR),
    CERTIFICATES_RELOADED("tls", "reloaded", Level.INFO),
    CERTIFICATES_REFUSED("tls", "reloadRefused", Level.ERROR),

    LOGGED_ON("session", "loggedOn", Level.DEBUG),
    LOGON_REFUSED("session", "logonRefused", Level.WARNING),
    SESSION_CLOSED("session", "closed", Level.WARNING),
    CLIENT_TOO_SLOW("session", "tooSlow", Level.WARNING),
    ADMINISTRATION("session", "administration", Level.INFO),
    ADMINISTRATION_REFUSED("session", "administrationRefused", Level.WARNING),
    SUBSCRIPTION_SLOW("session", "subscriptionSlow", Level.INFO, 1),
    SUBSCRIPTION_BEHIND("session", "subscriptionBehind", Level.WARNING),
    CUT_OFF("session", "cutOff", Level.WARNING),

    JOURNAL_RECOVERED("journal", "recovered", Level.INFO, 100),
    JOURNAL_TORN("journal", "tornTail", Level.WARNING),
    JOURNAL_DAMAGED("journal", "damaged", Level.ERROR),
    JOURNAL_FULL("journal", "full", Level.ERROR),
    JOURNAL_HAS_ROOM("journal", "hasRoom", Level.INFO),
    JOURNAL_FAILED("journal", "failed", Level.ERROR),
    SNAPSHOT_STORED("journal", "snapshot", Level.INFO),
    SNAPSHOT_FAILED("journal", "snapshotFailed", Level.WARNING),
    FILES_RELEASED("journal", "filesReleased", Level.INFO),

    COLUMNS_MADE("state", "columnsMade", Level.INFO),
    COLUMNS_SHORT("state", "columnsShort", Level.WARNING),
    COLUMN_OF_NO_USE("state", "columnOfNoUse", Level.WARNING),

    SINK_FULL("sink", "full", Level.WARNING, 1),
    SINK_FAILED("sink", "failed", Level.ERROR, 1),

    TOKEN_KEYS_FAILED("security", "tokenKeysFailed", Level.WARNING, 1),
    AUTHORIZER_FAILED("security", "authorizerFailed", Level.ERROR, 1),
    FILTERS_TOO_LONG("security", "filtersTooLong", Level.WARNING, 2),

    AUDIT_HEAD("audit", "head", Level.INFO),
    AUDIT_FAILED("audit", "failed", Level.ERROR, 1),
    AUDIT_RESUMED("audit", "resumed", Level.INFO),
    AUDIT_TORN("audit", "tornTail", Level.WARNING),
    AUDIT_DAMAGED("audit", "damaged", Level.ERROR),
    AUDIT_FILE_CHANGED("audit", "fileChanged", Level.ERROR),
    AUDIT_LOST("audit", "entriesLost", Level.WARNING, 1),

    CLUSTER_LEADS("cluster", "leads", Level.INFO),
    CLUSTER_FOLLOWS("cluster", "follows", Level.INFO),
    CLUSTER_WARNING("cluster", "warning", Level.WARNING),
    CLUSTER_BAD_COMMAND("cluster", "badCommand", Level.ERROR),
    CLUSTER_LEFT("cluster", "left", Level.ERROR),

    WIDE_RIGHTS("storage", "wideRights", Level.WARNING);

    private static final int LIMIT_DEFAULT = 10;

    private final String area;
    private final String label;
    private final Level level;
    private final int limit;

    EventKind(final String area, final String label, final Level level) {
        this(area, label, level, LIMIT_DEFAULT);
    }

    EventKind(final String area, final String label, final Level level, final int limit) {
        this.area = area;
        this.label = label;
        this.level = level;
        this.limit = limit;
    }

    /**
     * The part of the broker that it is about; {@code io.penstock.broker.} and this is the name of its logger.
     *
     * @return for example {@code session}.
     */
    public String area() {
        return area;
    }

    /**
     * The name of the event.
     *
     * @return a word, unique in the area, for example {@code closed}.
     */
    public String label() {
        return label;
    }

    /**
     * How much it matters.
     *
     * @return the level that it is logged with.
     */
    public Level level() {
        return level;
    }

    /**
     * How many of the kind are written in a second at most; the others are counted.
     *
     * @return bound of events.
     */
    public int limit() {
        return limit;
    }

    /** Area and label, for example {@code session.closed}. */
    @Override
    public String toString() {
        return area + "." + label;
    }
}
