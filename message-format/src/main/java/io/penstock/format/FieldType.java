package io.penstock.format;

/** The type of a field of a message. */
public enum FieldType {
    /** The message has no such field. */
    ABSENT,
    /** The field is there and null. */
    NULL,
    BOOLEAN,
    /** An integer that fits 64 bits. */
    LONG,
    /** Any other number. */
    DOUBLE,
    STRING,
    /**
     * Text of a format without types, such as FIX or XML: read as a string, and also as a number or boolean where it is
     * compared with one.
     */
    UNTYPED,
    ARRAY,
    /** A nested object, or an array within an array; it compares with nothing. */
    OBJECT
}
