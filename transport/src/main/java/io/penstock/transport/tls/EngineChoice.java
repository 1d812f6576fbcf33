package io.penstock.transport.tls;

/** Which engine encrypts the connections of transports. */
public enum EngineChoice {
    /** A native one where it is on the class path, can be loaded and can do what the settings ask for; else that of the JDK. */
    AUTO,

    /** That of the JDK. */
    JDK,

    /** A native one; a side whose settings ask for what it cannot do, or that cannot load it, does not start. */
    NATIVE
}
