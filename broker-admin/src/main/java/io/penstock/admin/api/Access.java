package io.penstock.admin.api;

/** What somebody needs to ask for something. */
enum Access {
    /** Nothing. */
    NONE,
    /** To be let in. */
    CONNECT,
    /** To read counters. */
    STAT,
    /** To list topics. */
    LIST_TOPICS,
    /** To look at the broker. */
    READ,
    /** To change what runs. */
    WRITE
}
