package io.penstock.system.permission;

/** How a client reaches the broker. */
enum Transport {
    TCP,
    TCPS,
    IPC,
    INPROC,
    RMI,
    IIOP,
    HTTP;

    boolean isNative() {
        return compareTo(INPROC) <= 0;
    }

    boolean isBridge() {
        return this == RMI || this == IIOP;
    }
}
