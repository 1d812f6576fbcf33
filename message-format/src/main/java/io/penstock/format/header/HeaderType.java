package io.penstock.format.header;

/** The type of a header's value. */
public enum HeaderType {
    /** UTF-8. */
    TEXT,
    /** An integer of 64 bits. */
    LONG,
    /** Any bytes. */
    BYTES
}
