package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Reads CDR, in either byte order. Values are aligned from where the message or encapsulation begins. Values that do
 * not fit in the received bytes are refused before anything is allocated for them. Owned by one thread; valid as long
 * as its buffer.
 */
public final class CdrReader {
    private static final int[] WHOLE = {};

    private final ByteBuf in;
    private final boolean isLittleEndian;
    private final int[] fragments;
    private int fragment;
    private int origin;
    private Charset charset = StandardCharsets.ISO_8859_1;

    /**
     * Reads the data of a message.
     *
     * @param in             what follows the message's header; fragments one after the other, without theirs.
     * @param isLittleEndian its byte order.
     */
    public CdrReader(final ByteBuf in, final boolean isLittleEndian) {
        this(in, isLittleEndian, MessageHeader.LENGTH, WHOLE);
    }

    /**
     * @param position  where the buffer begins in the message or encapsulation.
     * @param fragments where fragments begin that count positions anew, as those of GIOP 1.1 do; in the buffer.
     */
    CdrReader(final ByteBuf in, final boolean isLittleEndian, final int position, final int[] fragments) {
        this.in = in;
        this.isLittleEndian = isLittleEndian;
        this.fragments = fragments;
        origin = in.readerIndex() - position;
    }

    /**
     * Reads what is in an octet sequence, with a byte order of its own.
     *
     * @param bytes the sequence.
     * @return at its first value.
     * @throws SystemException when it is empty.
     */
    public static CdrReader encapsulation(final ByteBuf bytes) throws SystemException {
        if (!bytes.isReadable()) {
            throw SystemException.marshal("an encapsulation without a byte order");
        }
        final int order = bytes.getByte(bytes.readerIndex());
        final CdrReader reader = new CdrReader(bytes, (order & 1) != 0, 0, WHOLE);
        reader.readOctet();
        return reader;
    }

    /**
     * Says in which code set strings are from here on; ISO 8859-1 until then.
     *
     * @param value the code set.
     */
    public void charset(final Charset value) {
        charset = value;
    }

    /**
     * The remaining bytes.
     *
     * @return in bytes, with padding.
     */
    public int remaining() {
        return in.readableBytes();
    }

    /** Goes to where the data of a message of GIOP 1.2 begins, if it has any. */
    public void toBody() {
        final int padding = padding(MessageHeader.BODY_ALIGNMENT);
        in.skipBytes(Math.min(padding, in.readableBytes()));
    }

    public byte readOctet() throws SystemException {
        to(1);
        return in.readByte();
    }

    public boolean readBoolean() throws SystemException {
        return readOctet() != 0;
    }

    public int readUnsignedShort() throws SystemException {
        to(Short.BYTES);
        return isLittleEndian ? in.readUnsignedShortLE() : in.readUnsignedShort();
    }

    public int readInt() throws SystemException {
        to(Integer.BYTES);
        return isLittleEndian ? in.readIntLE() : in.readInt();
    }

    public long readLong() throws SystemException {
        to(Long.BYTES);
        return isLittleEndian ? in.readLongLE() : in.readLong();
    }

    /** Goes to a value of this length, which is its alignment as well. It is whole within one fragment. */
    private void to(final int length) throws SystemException {
        while (fragment < fragments.length
                && fragments[fragment] <= in.writerIndex()
                && in.readerIndex() + padding(length) + length > fragments[fragment]) {
            in.readerIndex(Math.max(in.readerIndex(), fragments[fragment]));
            origin = fragments[fragment] - MessageHeader.LENGTH;
            fragment++;
        }
        final int padding = padding(length);
        if (in.readableBytes() < padding + length) {
            throw tooShort(length);
        }
        in.skipBytes(padding);
    }

    private int padding(final int alignment) {
        return -(in.readerIndex() - origin) & (alignment - 1);
    }

    private SystemException tooShort(final long length) {
        return SystemException.marshal(length + " bytes asked for, " + in.readableBytes() + " left");
    }

    /**
     * How many elements follow.
     *
     * @param elementLengthMin shortest element in bytes.
     * @return never more than what is left could hold.
     * @throws SystemException when there are more.
     */
    public int count(final int elementLengthMin) throws SystemException {
        final long count = Integer.toUnsignedLong(readInt());
        if (count * elementLengthMin > in.readableBytes()) {
            throw tooShort(count * elementLengthMin);
        }
        return (int) count;
    }

    /**
     * A sequence of octets, copied once, into an array of its length.
     *
     * @return a new array.
     * @throws SystemException when it is longer than what is left.
     */
    public byte[] octets() throws SystemException {
        final byte[] bytes = new byte[count(1)];
        in.readBytes(bytes);
        return bytes;
    }

    /**
     * The same without a copy.
     *
     * @return valid as long as this reader.
     * @throws SystemException when it is longer than what is left.
     */
    public ByteBuf octetsInPlace() throws SystemException {
        return in.readSlice(count(1));
    }

    /**
     * A string, without the zero at its end.
     *
     * @return the text.
     * @throws SystemException when it is longer than what is left, has no end, or is not of its code set.
     */
    public String string() throws SystemException {
        final int count = count(1);
        if (count == 0) {
            // Not quite right, and what some send.
            return "";
        }
        final byte[] bytes = new byte[count - 1];
        in.readBytes(bytes);
        if (in.readByte() != 0) {
            throw SystemException.marshal("a string without an end");
        }
        return text(bytes);
    }

    private String text(final byte[] bytes) throws SystemException {
        int some = 0;
        for (final byte each : bytes) {
            some |= each;
        }
        if (some >= 0 || charset.equals(StandardCharsets.ISO_8859_1)) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (final CharacterCodingException e) {
            throw SystemException.dataConversion("a string is not " + charset);
        }
    }
}
