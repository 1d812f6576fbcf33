package io.penstock.orb;

import java.io.Serializable;

/** A header of a message: a name, and a text, a number or bytes. Immutable as long as nobody writes to {@link #data()}. */
public final class Header implements Serializable {
    /** The value is {@link #text()}. */
    public static final int TEXT_VALUE = 0;

    /** The value is {@link #number()}. */
    public static final int NUMBER_VALUE = 1;

    /** The value is {@link #data()}. */
    public static final int BYTES_VALUE = 2;

    private static final long serialVersionUID = 1L;

    private static final byte[] NO_BYTES = {};

    private final String name;
    private final int type;
    private final String text;
    private final long number;
    private final byte[] data;

    private Header(final String name, final int type, final String text, final long number, final byte[] data) {
        this.name = name;
        this.type = type;
        this.text = text;
        this.number = number;
        this.data = data;
    }

    /**
     * A text.
     *
     * @param name  of the header, of 1 to 127 letters, digits and {@code - _ . : /}.
     * @param value of the header.
     * @return the header.
     */
    public static Header of(final String name, final String value) {
        return new Header(name, TEXT_VALUE, value, 0, NO_BYTES);
    }

    /**
     * A number.
     *
     * @param name  of the header.
     * @param value of the header.
     * @return the header.
     */
    public static Header of(final String name, final long value) {
        return new Header(name, NUMBER_VALUE, "", value, NO_BYTES);
    }

    /**
     * Bytes.
     *
     * @param name  of the header.
     * @param value of the header; not copied.
     * @return the header.
     */
    public static Header of(final String name, final byte[] value) {
        return new Header(name, BYTES_VALUE, "", 0, value);
    }

    public String name() {
        return name;
    }

    /**
     * Which of the values it has.
     *
     * @return one of the constants.
     */
    public int type() {
        return type;
    }

    /**
     * The value of a text.
     *
     * @return empty when it is a number or bytes.
     */
    public String text() {
        return text;
    }

    /**
     * The value of a number.
     *
     * @return 0 when it is a text or bytes.
     */
    public long number() {
        return number;
    }

    /**
     * The value of bytes.
     *
     * @return the bytes themselves, not a copy; empty when it is a text or a number.
     */
    public byte[] data() {
        return data;
    }

    @Override
    public String toString() {
        return name + "=" + (type == TEXT_VALUE ? text : type == NUMBER_VALUE ? "" + number : data.length + " bytes");
    }
}
