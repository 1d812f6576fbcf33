package io.penstock.broker.shard.state;

import io.penstock.protocol.ErrorCode;

/** Why a sequencer refuses a message. */
public enum StateRefusal {
    /** The record would be longer than the limit. */
    TOO_LONG(0, ErrorCode.MESSAGE_TOO_LONG),
    /** There is no memory for another key: so much is used of the limit. */
    NO_ROOM_FOR_KEY(1, ErrorCode.STATE_FULL),
    /** There is no memory for another version: so much is used of the limit. */
    NO_ROOM_FOR_VERSION(2, ErrorCode.STATE_FULL),
    /** It is a request, and the topic has no subscriber. */
    NO_RESPONDER(3, ErrorCode.NO_RESPONDER),
    /** The records are as long together as they may be: so much of the limit. */
    FULL(4, ErrorCode.STATE_FULL);

    private static final StateRefusal[] ALL = values();

    public static final int COUNT = ALL.length;

    private final int id;

    private final ErrorCode code;

    StateRefusal(final int id, final ErrorCode code) {
        this.id = id;
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }

    /** Whether it is for want of memory, which follows from this process and not from the log. */
    public boolean isOfMemory() {
        return this == NO_ROOM_FOR_KEY || this == NO_ROOM_FOR_VERSION;
    }

    /** From 0, without gaps, in the order in which they stand here. */
    public int id() {
        return id;
    }

    public static StateRefusal of(final int id) {
        return ALL[id];
    }

    /** The text for the publisher. */
    public String text(final String topic, final long used, final long limit) {
        final String subject = "publish to " + topic + ": ";
        if (this == TOO_LONG) {
            return subject + "the record would be longer than " + limit
                    + " bytes (raise sessions.messageLengthMax, or publish less)";
        }
        if (this == NO_RESPONDER) {
            return subject + "nobody subscribes to the topic, so that no reply would come (start what answers there)";
        }
        if (this == FULL) {
            return subject + "the state is full: the records of the shard have " + used + " of " + limit
                    + " bytes (delete records, or raise state.liveLengthMax)";
        }
        return subject + "no memory for another " + (this == NO_ROOM_FOR_KEY ? "key" : "version") + ": " + used + " of "
                + limit + " bytes are used (delete records, or raise state.memoryLengthMax)";
    }
}
