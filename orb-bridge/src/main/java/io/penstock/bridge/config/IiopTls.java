package io.penstock.bridge.config;

/** Whether CORBA clients speak TLS. */
public enum IiopTls {
    /** They do not. */
    NONE,

    /** They may: the first byte of a connection says. */
    OPTIONAL,

    /** They have to. */
    REQUIRED
}
