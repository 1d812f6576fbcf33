package io.penstock.protocol;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Fields of a range of memory that is checked once, where a buffer would check each of them. {@link #address} is that
 * check; what it returns goes, with offsets that are constants below the length given there, to the other methods, which
 * check nothing. So this is for layouts of fixed length, and never for an offset or a length that was read from memory.
 * Fields are little endian. Nothing is kept, so that it may be called on any thread that may use the buffer; an address
 * is good as long as the buffer wraps the same memory, and is not kept beyond the method that asked for it.
 */
public final class CheckedRange {
    private static final boolean IS_SWAPPED = ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN;

    private CheckedRange() {}

    /**
     * Checks that a range lies in a buffer, whatever checks of Agrona are switched off.
     *
     * @param buffer that has the range.
     * @param offset of its first byte.
     * @param length of it in bytes.
     * @return the address of its first byte, for the methods below and this buffer.
     * @throws IndexOutOfBoundsException when it does not.
     */
    public static long address(final DirectBuffer buffer, final int offset, final int length) {
        buffer.boundsCheck(offset, length);
        return buffer.addressOffset() + offset;
    }

    /**
     * Reads 64 bits.
     *
     * @param buffer  that has the range.
     * @param address in the range, with eight bytes of it from there on.
     * @return what is there.
     */
    public static long getLong(final DirectBuffer buffer, final long address) {
        final long value = UnsafeApi.getLong(buffer.byteArray(), address);
        return IS_SWAPPED ? Long.reverseBytes(value) : value;
    }

    /**
     * Reads 8 bits.
     *
     * @param buffer  that has the range.
     * @param address in the range.
     * @return what is there.
     */
    public static byte getByte(final DirectBuffer buffer, final long address) {
        return UnsafeApi.getByte(buffer.byteArray(), address);
    }

    /**
     * Writes 64 bits.
     *
     * @param buffer  that has the range.
     * @param address in the range, with eight bytes of it from there on.
     * @param value   to write.
     */
    public static void putLong(final MutableDirectBuffer buffer, final long address, final long value) {
        UnsafeApi.putLong(buffer.byteArray(), address, IS_SWAPPED ? Long.reverseBytes(value) : value);
    }

    /**
     * Writes 16 bits.
     *
     * @param buffer  that has the range.
     * @param address in the range, with two bytes of it from there on.
     * @param value   to write.
     */
    public static void putShort(final MutableDirectBuffer buffer, final long address, final short value) {
        UnsafeApi.putShort(buffer.byteArray(), address, IS_SWAPPED ? Short.reverseBytes(value) : value);
    }

    /**
     * Writes 8 bits.
     *
     * @param buffer  that has the range.
     * @param address in the range.
     * @param value   to write.
     */
    public static void putByte(final MutableDirectBuffer buffer, final long address, final byte value) {
        UnsafeApi.putByte(buffer.byteArray(), address, value);
    }
}
