package io.penstock.broker.journal;

/** When written records of a journal are put on stable storage. */
public enum SyncPolicy {
    /** As soon as there are records; records that come meanwhile are synced together next. */
    ALWAYS,

    /** After an interval, or after some bytes. */
    INTERVAL,

    /** When the operating system sees fit: a crash of the broker loses nothing, one of the machine may. */
    OS
}
