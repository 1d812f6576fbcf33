package io.penstock.transport.tls;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** The blocks of a PEM file (RFC 7468). What stands around them is passed over. */
final class Pem {
    static final String CERTIFICATE = "CERTIFICATE";
    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";

    private Pem() {}

    /** A block. */
    static final class Block {
        private final String label;
        private final boolean isEncrypted;
        private final byte[] bytes;

        private Block(final String label, final boolean isEncrypted, final byte[] bytes) {
            this.label = label;
            this.isEncrypted = isEncrypted;
            this.bytes = bytes;
        }

        /** For example {@link #CERTIFICATE}. */
        String label() {
            return label;
        }

        /** In the way of old, with headers. */
        boolean isEncrypted() {
            return isEncrypted;
        }

        /** DER; empty when it is encrypted in the way of old. Not to be changed. */
        byte[] bytes() {
            return bytes;
        }
    }

    static boolean is(final byte[] file) {
        return text(file).contains(BEGIN);
    }

    /**
     * Finds the blocks.
     *
     * @throws TlsException when one of them has no end, or is not Base64.
     */
    static List<Block> blocks(final byte[] file) throws TlsException {
        final String text = text(file);
        final List<Block> blocks = new ArrayList<>();
        int at = text.indexOf(BEGIN);
        while (at >= 0) {
            final int labelStart = at + BEGIN.length();
            final int labelEnd = text.indexOf(DASHES, labelStart);
            final String label = labelEnd < 0 ? "?" : text.substring(labelStart, labelEnd);
            final int end = text.indexOf(DASHES + "END " + label + DASHES, labelStart);
            if (labelEnd < 0 || end < 0) {
                throw new TlsException("a PEM block has no end (copy the file again)");
            }
            final String body = text.substring(labelEnd + DASHES.length(), end);
            final boolean hasHeaders = body.indexOf(':') >= 0;
            blocks.add(new Block(label, hasHeaders, hasHeaders ? new byte[0] : decoded(body, label)));
            at = text.indexOf(BEGIN, end);
        }
        return blocks;
    }

    private static byte[] decoded(final String body, final String label) throws TlsException {
        try {
            return Base64.getDecoder().decode(body.replaceAll("\\s", ""));
        } catch (final IllegalArgumentException e) {
            throw new TlsException("the PEM block of a " + label + " is not Base64 (copy the file again)", e);
        }
    }

    private static String text(final byte[] file) {
        return new String(file, StandardCharsets.ISO_8859_1);
    }
}
