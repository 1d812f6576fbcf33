package io.penstock.format.header;

/** What the value of a header is. */
public enum HeaderType {
    /** UTF-8. */
    TEXT,
    /** An integer of 64 bits. */
    LONG,
    /** Any bytes. */
    BYTES
}
