package io.penstock.broker.session.publish;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.penstock.broker.shard.log.Publication;
import io.penstock.format.header.HeaderLayout;
import io.penstock.protocol.FrameHeader;
import io.penstock.protocol.codec.PublishStateDecoder;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a publish command besides topic and payload: its key, options, expiration and headers. Used again for each
 * command; confined to one I/O agent.
 */
final class PublishFields {
    private static final int OPTION_DELTA = 1;
    private static final int OPTION_REQUEST = 2;
    private static final int OPTIONS_KNOWN = OPTION_DELTA | OPTION_REQUEST;
    private static final long EXPIRATION_MS_MAX = 100L * 366 * 24 * 3600 * 1000;

    private boolean isPlain = true;
    private int keyOffset;
    private int keyLength;
    private int options;
    private long expirationMs;
    private int headersLength;

    /** The command has none of them. */
    void clear() {
        if (!isPlain) {
            isPlain = true;
            keyLength = 0;
            options = 0;
            expirationMs = 0;
            headersLength = 0;
        }
    }

    /**
     * Reads them from a command that has all of them.
     *
     * @param header of the frame.
     * @param block  where its block is.
     * @param at     where its key is, with its length before it.
     * @return where the payload is, with its length before it.
     */
    int read(final long header, final DirectBuffer buffer, final int block, final int at) {
        isPlain = false;
        keyOffset = at + PublishStateDecoder.keyHeaderLength();
        keyLength = buffer.getShort(at, LITTLE_ENDIAN) & 0xFFFF;
        options = buffer.getByte(block + PublishStateDecoder.optionsEncodingOffset());
        expirationMs = buffer.getLong(block + PublishStateDecoder.expirationMsEncodingOffset(), LITTLE_ENDIAN);
        headersLength = FrameHeader.version(header) == 1
                ? 0
                : buffer.getShort(block + PublishStateDecoder.headersLengthEncodingOffset(), LITTLE_ENDIAN) & 0xFFFF;
        return keyOffset + keyLength;
    }

    int keyOffset() {
        return keyOffset;
    }

    /** Length of the key in bytes; 0 for no key. */
    int keyLength() {
        return keyLength;
    }

    /** Length of the headers in bytes; 0 for no headers. */
    int headersLength() {
        return headersLength;
    }

    boolean isDelta() {
        return (options & OPTION_DELTA) != 0;
    }

    boolean isRequest() {
        return (options & OPTION_REQUEST) != 0;
    }

    /** The expiration as a {@link Publication} has it. */
    long expirationNs() {
        return expirationMs <= 0 ? expirationMs : TimeUnit.MILLISECONDS.toNanos(expirationMs);
    }

    /** Whether the command has something that topics with state alone take. */
    boolean isForState() {
        return keyLength != 0 || expirationMs != 0 || isDelta();
    }

    /** Returns what is wrong with the options, or null. */
    @Nullable
    String checkOptions() {
        final int unknown = options & ~OPTIONS_KNOWN;
        return unknown == 0
                ? null
                : "unknown option: 0x" + Integer.toHexString(unknown & 0xFF) + " (use bit 0 for a delta, bit 1 for a"
                        + " request)";
    }

    /** Returns what is wrong with the expiration, or null. */
    @Nullable
    String checkExpiration() {
        return expirationMs < -1 || expirationMs > EXPIRATION_MS_MAX
                ? "bad expiration: " + expirationMs + " ms (use -1 for never, 0 for the topic's, or at most "
                        + EXPIRATION_MS_MAX + ")"
                : null;
    }

    /**
     * Returns what is wrong with the headers after a message, or null.
     *
     * @param offset of the message.
     * @param length of the message, negative when the headers are longer than the payload.
     */
    @Nullable
    String checkHeaders(final DirectBuffer buffer, final int offset, final int length) {
        if (headersLength == 0) {
            return null;
        }
        return length < 0
                ? "header: longer than the payload (see the protocol's layout)"
                : HeaderLayout.check(buffer, offset + length, headersLength);
    }
}
