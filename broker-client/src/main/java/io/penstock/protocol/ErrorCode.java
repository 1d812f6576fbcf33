package io.penstock.protocol;

import org.jspecify.annotations.Nullable;

/** Errors of commands, subscriptions and sessions. Codes are part of the protocol and never reused. */
public enum ErrorCode {
    /** The frame is not one of this protocol: too short, lengths that do not fit. Fatal. */
    BAD_FRAME(1),
    /** The frame is of another schema, or of a version this broker does not speak. Fatal. */
    UNSUPPORTED_VERSION(2),
    /** The frame's template is no command. Fatal. */
    UNKNOWN_COMMAND(3),
    /** A command came before the logon, or a second logon came. Fatal. */
    NOT_LOGGED_ON(4),
    /** The broker refuses these credentials. Fatal. */
    AUTHENTICATION_FAILED(5),
    /** This client may not do this. */
    NOT_AUTHORIZED(6),
    /** The topic's name is empty, too long, or not text. */
    BAD_TOPIC(7),
    /** The pattern is not a regular expression. */
    BAD_PATTERN(8),
    /** The filter cannot be parsed. */
    BAD_FILTER(9),
    /** The payload is not well formed in its topic's format. */
    BAD_MESSAGE(10),
    /** The payload is longer than the broker accepts. */
    MESSAGE_TOO_LONG(11),
    /** No such format, or the topic has another one. */
    BAD_FORMAT(12),
    /** The subscription id is in use on this connection. */
    DUPLICATE_SUBSCRIPTION(13),
    /** There is no such subscription on this connection. */
    UNKNOWN_SUBSCRIPTION(14),
    /** A bound of the broker was reached: topics, subscriptions, publishers, sessions. */
    LIMIT_REACHED(15),
    /** The subscription ended: what it was to deliver next is no longer in the window. */
    FELL_BEHIND(16),
    /** Another client logged on with the same name. Fatal. */
    REPLACED(17),
    /** Nothing was heard from the peer for too long. Fatal. */
    TIMED_OUT(18),
    /** The broker is shutting down; the command was not applied. */
    SHUTTING_DOWN(19),
    /** The command or option is not one this broker offers. */
    NOT_SUPPORTED(20),
    /** A name or other text is empty, too long, or not UTF-8. */
    BAD_TEXT(21),
    /** The broker failed; its own error log says more. Fatal. */
    INTERNAL_ERROR(22),
    /** The message has no key, a bad one, or one too many. */
    BAD_KEY(23),
    /** The topic keeps no state. */
    NO_STATE(24),
    /** The query's text or numbers make no sense: order, selection, counts, keys. */
    BAD_QUERY(25),
    /** The memory for state is used up: there is no room for new keys. */
    STATE_FULL(26),
    /** A query or a subscription needs versions of records that no longer exist. */
    SNAPSHOT_TOO_OLD(27),
    /** A query was given up: its time was up, or it was ended. */
    QUERY_CANCELLED(28),
    /** The disk for the topic's log is full: publish again when there is room. */
    JOURNAL_FULL(29),
    /** The disk for the topic's log has failed: nothing is taken until the broker was restarted. */
    JOURNAL_FAILED(30),
    /** A bookmark is not in the log: what follows it is no longer there, or it never was. */
    BOOKMARK_NOT_FOUND(31),
    /** There is no such sink, or the writer is not open on this connection. */
    UNKNOWN_SINK(32),
    /** A block's length, number or checksum is wrong, or its memory cannot be pulled. */
    BAD_BLOCK(33),
    /** The sink is as long as it may be, or its disk is full: offer the block again when there is room. */
    SINK_FULL(34),
    /** The sink's file is damaged or its disk has failed: it takes nothing until the broker was restarted. */
    SINK_FAILED(35),
    /** The publisher's sequence is too far above those before it. */
    BAD_SEQUENCE(36),
    /** The topic cannot be deleted: something in the broker is computed from it, or computes it. */
    TOPIC_IN_USE(37),
    /** There is no such topic or publisher. */
    NOT_FOUND(38),
    /** A request was published to a topic that has no subscriber, so that nobody can answer it. */
    NO_RESPONDER(39),
    /** The headers of a message are not well formed, too many or too long. */
    BAD_HEADER(40),
    /** What the client proved at its logon no longer holds: its user was changed or removed, or its token has expired. */
    SESSION_REVOKED(41),
    /**
     * The client may not publish this message, though it may publish others to the topic; or it asks for what depends on fields
     * that are hidden from it.
     */
    NOT_ENTITLED(43),
    /** The subscription or query ended: the permissions of its client have changed. It may be asked for again. */
    PERMISSIONS_CHANGED(44);

    private static final ErrorCode[] BY_CODE = new ErrorCode[45];

    static {
        for (final ErrorCode errorCode : values()) {
            BY_CODE[errorCode.code] = errorCode;
        }
    }

    private final int code;

    ErrorCode(final int code) {
        this.code = code;
    }

    /**
     * The number on the wire.
     *
     * @return the code, above 0.
     */
    public int code() {
        return code;
    }

    /**
     * Finds an error by its number.
     *
     * @param code from the wire.
     * @return the error, or null when a newer peer knows more codes.
     */
    public static @Nullable ErrorCode of(final int code) {
        return code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
