package io.penstock.spring;

/**
 * The phases in which the context starts what this module brings, from low to high, and stops it in the opposite order:
 * listeners stop first and handle what they hold, then mirrors stop, then the client flushes and closes, and an embedded
 * broker stops last. Beans with a default phase, such as a web server, are between the mirrors and the listeners.
 */
public final class PenstockPhases {
    /** An embedded broker. */
    public static final int BROKER = Integer.MIN_VALUE + 1000;

    /** The connection, which flushes before it closes. */
    public static final int CONNECTION = BROKER + 1000;

    /** Mirrors of state, loaded before what uses them starts. */
    public static final int STATE = CONNECTION + 1000;

    /** Listeners, unless their container has another phase. */
    public static final int LISTENERS = Integer.MAX_VALUE - 100;

    private PenstockPhases() {}
}
