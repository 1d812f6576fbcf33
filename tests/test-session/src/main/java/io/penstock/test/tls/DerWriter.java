package io.penstock.test.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes as much of DER as a certificate has. */
final class DerWriter {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private DerWriter() {}

    static byte[] sequence(final byte[]... members) {
        return tagged(0x30, members);
    }

    static byte[] set(final byte[]... members) {
        return tagged(0x31, members);
    }

    static byte[] integer(final long value) {
        return tagged(0x02, BigInteger.valueOf(value).toByteArray());
    }

    static byte[] yes() {
        return tagged(0x01, new byte[] {(byte) 0xFF});
    }

    static byte[] octets(final byte[] content) {
        return tagged(0x04, content);
    }

    /** Without unused bits at its end. */
    static byte[] bits(final byte[] content) {
        return tagged(0x03, new byte[1], content);
    }

    static byte[] text(final String value) {
        return tagged(0x0C, value.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] time(final Instant value) {
        return tagged(0x18, TIME.format(value).getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] objectId(final int... parts) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write((parts[0] * 40) + parts[1]);
        for (int i = 2; i < parts.length; i++) {
            for (int shift = 28; shift >= 0; shift -= 7) {
                if (shift == 0 || parts[i] >> shift != 0) {
                    out.write(((parts[i] >> shift) & 0x7F) | (shift == 0 ? 0 : 0x80));
                }
            }
        }
        return tagged(0x06, out.toByteArray());
    }

    static byte[] tagged(final int tag, final byte[]... parts) {
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (final byte[] part : parts) {
            content.writeBytes(part);
        }
        final int length = content.size();
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length <= 0x7F) {
            out.write(length);
        } else if (length <= 0xFF) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
