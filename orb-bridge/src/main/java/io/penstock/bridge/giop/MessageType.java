package io.penstock.bridge.giop;

/** Kinds of messages, as the octet in a message's header has them. */
public final class MessageType {
    public static final int REQUEST = 0;
    public static final int REPLY = 1;
    public static final int CANCEL_REQUEST = 2;
    public static final int LOCATE_REQUEST = 3;
    public static final int LOCATE_REPLY = 4;
    public static final int CLOSE_CONNECTION = 5;
    public static final int MESSAGE_ERROR = 6;
    public static final int FRAGMENT = 7;

    private MessageType() {}
}
