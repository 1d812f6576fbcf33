package io.penstock.protocol.scram;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Reads the attributes of a message, one after the other: {@code r=…,s=…,i=…}. Confined to its caller. */
final class ScramMessage {
    static final int LENGTH_MAX = 4096;
    static final int NONCE_LENGTH_MAX = 512;

    private final String text;
    private int position;

    private ScramMessage(final String text) {
        this.text = text;
    }

    /** Null when it is too long or not text. */
    static @Nullable ScramMessage of(final byte[] message) {
        final String text = message.length > LENGTH_MAX ? null : Utf8.decode(message);
        return text == null || text.indexOf('\0') >= 0 ? null : new ScramMessage(text);
    }

    /** Null when it is not Base64, all of it in the one way that there is. */
    static byte @Nullable [] bytes(final @Nullable String base64) {
        if (base64 == null) {
            return null;
        }
        try {
            final byte[] bytes = Base64.getDecoder().decode(base64);
            return Base64.getEncoder().encodeToString(bytes).equals(base64) ? bytes : null;
        } catch (final IllegalArgumentException e) {
            return null;
        }
    }

    /** Up to the next comma, which is passed; null at the end. */
    @Nullable
    String part() {
        if (position > text.length()) {
            return null;
        }
        final int comma = text.indexOf(',', position);
        final int end = comma < 0 ? text.length() : comma;
        final String part = text.substring(position, end);
        position = end + 1;
        return part;
    }

    /** The value of the attribute that comes next; null when it is another, or none. */
    @Nullable
    String value(final char name) {
        final int before = position;
        final String part = part();
        if (part == null || part.length() < 2 || part.charAt(0) != name || part.charAt(1) != '=') {
            position = before;
            return null;
        }
        return part.substring(2);
    }

    /** The nonce that comes next; null when it is none: printable, without a comma, not empty. */
    @Nullable
    String nonce() {
        final String nonce = value('r');
        return nonce == null
                        || nonce.isEmpty()
                        || nonce.length() > NONCE_LENGTH_MAX
                        || nonce.chars().anyMatch(c -> c < 0x21 || c > 0x7E)
                ? null
                : nonce;
    }

    /** What has not been read, with everything in it. */
    String rest() {
        return position > text.length() ? "" : text.substring(position);
    }

    boolean isAtEnd() {
        return position > text.length();
    }

    /** The header of the first message and what the conversation is bound to, in Base64. */
    static String bound(final String header, final byte[] binding) {
        final byte[] start = header.getBytes(StandardCharsets.UTF_8);
        final byte[] all = Arrays.copyOf(start, start.length + binding.length);
        System.arraycopy(binding, 0, all, start.length, binding.length);
        return Base64.getEncoder().encodeToString(all);
    }

    /** A name as it is sent: without commas and equals signs. */
    static String escaped(final String name) {
        return name.replace("=", "=3D").replace(",", "=2C");
    }

    /** The name that was sent so; null when it could not have been. */
    static @Nullable String unescaped(final String name) {
        for (int at = name.indexOf('='); at >= 0; at = name.indexOf('=', at + 1)) {
            if (!name.startsWith("=2C", at) && !name.startsWith("=3D", at)) {
                return null;
            }
        }
        return name.replace("=2C", ",").replace("=3D", "=");
    }
}
