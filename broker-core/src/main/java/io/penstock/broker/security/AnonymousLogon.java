package io.penstock.broker.security;

/** Which clients may log on without proving who they are. */
public enum AnonymousLogon {
    /** All when there are neither users nor mechanisms; else none. */
    DEFAULT,
    /** None. */
    NONE,
    /** Those whose connection cannot leave this machine. */
    LOCAL,
    /** All. */
    ALL
}
