package io.penstock.transport.tls;

import java.io.ByteArrayOutputStream;

/** As much of DER as it takes to put a key of an older form into PKCS#8. */
final class Der {
    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int NULL = 0x05;
    private static final int OBJECT_ID = 0x06;
    private static final int SEQUENCE = 0x30;

    /** Of the curve in a key of SEC 1. */
    private static final int PARAMETERS = 0xA0;

    /** 1.2.840.113549.1.1.1 */
    private static final byte[] RSA = {0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 0x01, 0x01, 0x01};

    /** 1.2.840.10045.2.1 */
    private static final byte[] EC = {0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 0x02, 0x01};

    private Der() {}

    /** A key of PKCS#1 as one of PKCS#8. */
    static byte[] ofPkcs1(final byte[] key) {
        return pkcs8(join(tagged(OBJECT_ID, RSA), tagged(NULL, new byte[0])), key);
    }

    /**
     * A key of SEC 1 as one of PKCS#8.
     *
     * @throws TlsException when it does not name its curve.
     */
    static byte[] ofSec1(final byte[] key) throws TlsException {
        return pkcs8(join(tagged(OBJECT_ID, EC), curve(key)), key);
    }

    private static byte[] pkcs8(final byte[] algorithm, final byte[] key) {
        return tagged(
                SEQUENCE, join(tagged(INTEGER, new byte[1]), tagged(SEQUENCE, algorithm), tagged(OCTET_STRING, key)));
    }

    /** Looks for the parameters among the members of the key's sequence. */
    private static byte[] curve(final byte[] key) throws TlsException {
        int[] member = header(key, 0);
        int at = member[0];
        final int end = at + member[1];
        while (at < end) {
            member = header(key, at);
            if ((key[at] & 0xFF) == PARAMETERS) {
                return slice(key, member[0], member[1]);
            }
            at = member[0] + member[1];
        }
        throw new TlsException("the key does not name its curve (write it anew: openssl pkcs8 -topk8 -nocrypt)");
    }

    /** Where the content at a tag begins, and how long it is. */
    private static int[] header(final byte[] bytes, final int at) throws TlsException {
        int offset = at + 2;
        int length = offset <= bytes.length ? bytes[at + 1] & 0xFF : -1;
        if (length > 0x7F) {
            final int count = length & 0x7F;
            length = 0;
            for (int i = 0; i < count && count <= 3 && offset < bytes.length; i++) {
                length = (length << 8) | (bytes[offset++] & 0xFF);
            }
        }
        if (length < 0 || length > bytes.length - offset) {
            throw new TlsException("the key is cut off (copy the file again)");
        }
        return new int[] {offset, length};
    }

    private static byte[] slice(final byte[] bytes, final int offset, final int length) {
        final byte[] slice = new byte[length];
        System.arraycopy(bytes, offset, slice, 0, length);
        return slice;
    }

    private static byte[] tagged(final int tag, final byte[] content) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length <= 0x7F) {
            out.write(content.length);
        } else {
            final int count = (Integer.SIZE - Integer.numberOfLeadingZeros(content.length) + 7) / 8;
            out.write(0x80 | count);
            for (int i = count - 1; i >= 0; i--) {
                out.write(content.length >> (8 * i));
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(final byte[]... parts) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (final byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
