package io.penstock.bridge.giop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Writes CDR, in either byte order. Long arrays are noted, not copied: they are read when the message is sent, and must not
 * change until then. Owned by one thread.
 */
public final class CdrWriter {
    /** From this length on an array is not copied, in bytes. */
    static final int GATHERED_LENGTH_MIN = 2048;

    private static final int LENGTH_MIN = 256;
    private static final VarHandle SHORT_BIG = view(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle SHORT_LITTLE = view(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT_BIG = view(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT_LITTLE = view(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_BIG = view(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG_LITTLE = view(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final boolean isLittleEndian;
    private final int origin;
    private final List<Gathered> gathered = new ArrayList<>(1);
    private byte[] buffer = new byte[LENGTH_MIN];
    private int bufferLength;
    private long gatheredLength;
    private Charset charset = StandardCharsets.ISO_8859_1;

    private CdrWriter(final boolean isLittleEndian, final int origin) {
        this.isLittleEndian = isLittleEndian;
        this.origin = origin;
    }

    private static VarHandle view(final Class<?> type, final ByteOrder order) {
        return MethodHandles.byteArrayViewVarHandle(type, order);
    }

    /**
     * Writes what follows the header of a message.
     *
     * @param isLittleEndian the byte order.
     * @return at its begin.
     */
    public static CdrWriter message(final boolean isLittleEndian) {
        return new CdrWriter(isLittleEndian, MessageHeader.LENGTH);
    }

    /**
     * Writes what goes into an octet sequence, with its byte order first.
     *
     * @param isLittleEndian the byte order.
     * @return after the byte order.
     */
    public static CdrWriter encapsulation(final boolean isLittleEndian) {
        final CdrWriter writer = new CdrWriter(isLittleEndian, 0);
        writer.writeBoolean(isLittleEndian);
        return writer;
    }

    /**
     * Says in which code set strings are from here on; ISO 8859-1 until then.
     *
     * @param value the code set.
     */
    public void charset(final Charset value) {
        charset = value;
    }

    boolean isLittleEndian() {
        return isLittleEndian;
    }

    /** Length of everything written, in bytes. */
    long length() {
        return bufferLength + gatheredLength;
    }

    byte[] buffer() {
        return buffer;
    }

    int bufferLength() {
        return bufferLength;
    }

    /** What goes between the bytes of the buffer. */
    List<Gathered> gathered() {
        return gathered;
    }

    /** Goes to where the data of a message of GIOP 1.2 begins. Only for a message that has data. */
    public void toBody() {
        align(MessageHeader.BODY_ALIGNMENT, 0);
    }

    public void writeOctet(final int value) {
        final int offset = claim(1);
        buffer[offset] = (byte) value;
    }

    public void writeBoolean(final boolean value) {
        writeOctet(value ? 1 : 0);
    }

    public void writeShort(final int value) {
        final int offset = claim(Short.BYTES);
        (isLittleEndian ? SHORT_LITTLE : SHORT_BIG).set(buffer, offset, (short) value);
    }

    public void writeInt(final int value) {
        final int offset = claim(Integer.BYTES);
        (isLittleEndian ? INT_LITTLE : INT_BIG).set(buffer, offset, value);
    }

    public void writeLong(final long value) {
        final int offset = claim(Long.BYTES);
        (isLittleEndian ? LONG_LITTLE : LONG_BIG).set(buffer, offset, value);
    }

    /**
     * A sequence of octets.
     *
     * @param bytes not copied when long.
     */
    public void octets(final byte[] bytes) {
        writeInt(bytes.length);
        encoded(bytes);
    }

    /**
     * What was encoded elsewhere, in the same byte order, from a place of the same alignment on.
     *
     * @param bytes not copied when long.
     */
    public void encoded(final byte[] bytes) {
        if (bytes.length < GATHERED_LENGTH_MIN) {
            raw(bytes);
        } else {
            gathered.add(new Gathered(bufferLength, bytes));
            gatheredLength += bytes.length;
        }
    }

    /**
     * A sequence of octets that is an encapsulation.
     *
     * @param inner what is in it; without long arrays.
     */
    public void octets(final CdrWriter inner) {
        octets(inner.toBytes());
    }

    private void raw(final byte[] bytes) {
        final int offset = align(1, bytes.length);
        System.arraycopy(bytes, 0, buffer, offset, bytes.length);
        bufferLength += bytes.length;
    }

    /**
     * A string, with a zero at its end.
     *
     * @param text the text.
     * @throws SystemException when it does not fit the code set, or has a zero in it.
     */
    public void string(final String text) throws SystemException {
        if (text.indexOf(0) >= 0) {
            throw SystemException.dataConversion("a string has a zero in it");
        }
        terminated(encoded(text));
    }

    private byte[] encoded(final String text) throws SystemException {
        if (charset.equals(StandardCharsets.UTF_8)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            final ByteBuffer encoded = charset.newEncoder().encode(CharBuffer.wrap(text));
            final byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (final CharacterCodingException e) {
            throw SystemException.dataConversion("a string is not " + charset);
        }
    }

    /**
     * A string for people, or of plain letters: what does not fit is replaced.
     *
     * @param text the text.
     */
    public void text(final String text) {
        terminated(text.replace('\0', '?').getBytes(charset));
    }

    private void terminated(final byte[] bytes) {
        writeInt(bytes.length + 1);
        raw(bytes);
        writeOctet(0);
    }

    /** Copies what was written. */
    public byte[] toBytes() {
        final byte[] bytes = new byte[Math.toIntExact(length())];
        int from = 0;
        int to = 0;
        for (final Gathered each : gathered) {
            System.arraycopy(buffer, from, bytes, to, each.offset() - from);
            to += each.offset() - from;
            from = each.offset();
            System.arraycopy(each.bytes(), 0, bytes, to, each.bytes().length);
            to += each.bytes().length;
        }
        System.arraycopy(buffer, from, bytes, to, bufferLength - from);
        return bytes;
    }

    /** Makes room for a value of this length, which is its alignment as well; returns where. */
    private int claim(final int length) {
        final int offset = align(length, length);
        bufferLength += length;
        return offset;
    }

    /** Pads with zeros, and makes room for what follows. */
    private int align(final int alignment, final int length) {
        final int padding = (int) (-(origin + length()) & (alignment - 1));
        final int needed = bufferLength + padding + length;
        if (needed > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(needed, buffer.length * 2));
        }
        bufferLength += padding;
        return bufferLength;
    }

    /**
     * An array that goes where the buffer has come to.
     *
     * @param offset in the buffer.
     * @param bytes  the array.
     */
    @SuppressWarnings("ArrayRecordComponent") // It is to be the same array, not an equal one.
    record Gathered(int offset, byte[] bytes) {}
}
