package io.penstock.broker.filter;

/** The type of an {@link Expression}'s value. */
public enum ValueType {
    /** Nothing: absent, null, unknown, an object, an empty array, or a number beyond the range of doubles. */
    NULL,
    /** True or false. */
    BOOLEAN,
    /** An integer that fits 64 bits. */
    LONG,
    /** Any other number; finite. */
    DOUBLE,
    /** A text. */
    TEXT
}
