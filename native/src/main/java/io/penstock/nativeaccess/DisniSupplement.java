package io.penstock.nativeaccess;

/**
 * Data that DiSNI's classes do not give: more about the last event of the calling thread, and about its last refused
 * post. The methods lie in one library with DiSNI's; {@link DisniLibrary#load()} comes before. Any thread.
 */
public final class DisniSupplement {
    /** The longest private data of an event, in bytes. */
    public static final int EVENT_DATA_LENGTH_MAX = 256;

    private DisniSupplement() {}

    /**
     * The status of the event.
     *
     * @return the system's number; 0 for success.
     */
    public static native int eventStatus();

    /**
     * Copies the event's private data.
     *
     * @param address  to copy to.
     * @param capacity there, in bytes; {@link #EVENT_DATA_LENGTH_MAX} is always enough.
     * @return its length, 0 when it had none; a negative errno when the capacity is less.
     */
    public static native int eventData(long address, int capacity);

    /**
     * Why the post was refused.
     *
     * @return the errno, above 0.
     */
    public static native int postError();

    /**
     * How many of its requests were taken.
     *
     * @return the number of requests.
     */
    public static native int postCount();
}
