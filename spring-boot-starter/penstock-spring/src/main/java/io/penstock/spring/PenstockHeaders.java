package io.penstock.spring;

/**
 * Names of headers in Spring messages. Those that begin with {@code penstock_} are made for a listener from what the
 * message came with, and are never sent as headers; {@link #KEY}, {@link #EXPIRATION} and {@link #DELTA} of a message that
 * is sent say how to publish it.
 */
public final class PenstockHeaders {
    /** What all names of this class begin with, except those of dead letters, retries and replies. */
    public static final String PREFIX = "penstock_";

    /** The topic, a {@link String}. */
    public static final String TOPIC = PREFIX + "topic";

    /** The key of the record, a {@link String}; absent when there is none. */
    public static final String KEY = PREFIX + "key";

    /** Where the message is in the log, an {@link io.penstock.client.Bookmark}. */
    public static final String BOOKMARK = PREFIX + "bookmark";

    /** What the message is to its subscription, an {@link io.penstock.client.RecordKind}. */
    public static final String KIND = PREFIX + "kind";

    /** The message as the client has it, an {@link io.penstock.client.Message}. */
    public static final String RAW = PREFIX + "raw";

    /** How often the listener was called with the message, an {@link Integer} from 1. */
    public static final String ATTEMPT = PREFIX + "attempt";

    /** What a listener is called with, a {@link io.penstock.spring.listener.Delivery}. */
    public static final String DELIVERY = PREFIX + "delivery";

    /** Of a message that is sent: how long its record stays, a {@link java.time.Duration}. */
    public static final String EXPIRATION = PREFIX + "expiration";

    /** Of a message that is sent: whether it holds only the fields that change, a {@link Boolean}. */
    public static final String DELTA = PREFIX + "delta";

    /** Of any message: the type of its payload, for listeners with several handlers. */
    public static final String TYPE = "penstock-type";

    /** Of a reply: why there is no other one, as text. The message was given up by the listener that answers. */
    public static final String ERROR = "error";

    /** Of a dead letter or a retry: the topic that the message came from first. */
    public static final String ORIGINAL_TOPIC = "penstock-original-topic";

    /** Of a dead letter or a retry: where the message was in the log of that topic, as text. */
    public static final String ORIGINAL_BOOKMARK = "penstock-original-bookmark";

    /** Of a dead letter or a retry: the key of the record in that topic; absent when there is none. */
    public static final String ORIGINAL_KEY = "penstock-original-key";

    /** Of a dead letter or a retry: when the broker took the original message, in nanoseconds since 1970. */
    public static final String ORIGINAL_TIMESTAMP = "penstock-original-timestamp";

    /** Of a dead letter or a retry: the id of the listener that failed. */
    public static final String LISTENER = "penstock-listener";

    /** Of a dead letter or a retry: the class of what was thrown. */
    public static final String EXCEPTION_CLASS = "penstock-exception-class";

    /** Of a dead letter or a retry: the message of what was thrown, cut where it is too long. */
    public static final String EXCEPTION_MESSAGE = "penstock-exception-message";

    /** Of a dead letter or a retry: how often a listener was called with the message in all. */
    public static final String ATTEMPTS = "penstock-attempts";

    /** Of a retry: when it is due, in milliseconds since 1970. */
    public static final String DUE = "penstock-due";

    /** Of a retry: whose it is, the name of the program and the id of the listener with {@code /} between them. */
    public static final String RETRY_LISTENER = "penstock-retry-listener";

    private PenstockHeaders() {}
}
