package io.penstock.admin.api;

import java.util.Locale;

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
    WRITE;

    /** The word for it in rules of permissions. */
    String word() {
        return switch (this) {
            case NONE, CONNECT, STAT -> name().toLowerCase(Locale.ROOT);
            case LIST_TOPICS -> "list";
            case READ -> "admin-read";
            case WRITE -> "admin-write";
        };
    }
}
