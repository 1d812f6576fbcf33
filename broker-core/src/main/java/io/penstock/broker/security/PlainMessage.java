package io.penstock.broker.security;

import io.penstock.protocol.scram.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends that proves itself by {@link Authentication#PLAIN}: RFC 4616 without an identity to act as.
 *
 * @param user     that it says it is.
 * @param password in clear.
 */
public record PlainMessage(String user, String password) {
    /** For the operator: what is wrong with others. */
    public static final String WRONG = "PLAIN: not a user and a password";

    /** For the operator: the message is of another user than the log-on names. */
    public static final String OTHER_USER = "another user in the mechanism's message than in the log-on";

    private static final int LENGTH_MAX = 2048;

    /**
     * Reads one.
     *
     * @param message as it came.
     * @return null when it is something else.
     */
    public static @Nullable PlainMessage parse(final byte[] message) {
        final String text = message.length > LENGTH_MAX ? null : Utf8.decode(message);
        if (text == null) {
            return null;
        }
        final int start = text.indexOf('\0');
        final int end = text.indexOf('\0', start + 1);
        if (start != 0 || end < 0 || end == start + 1 || text.indexOf('\0', end + 1) >= 0) {
            return null;
        }
        return new PlainMessage(text.substring(1, end), text.substring(end + 1));
    }

    /** Does not show the password. */
    @Override
    public String toString() {
        return "PlainMessage[user=" + user + "]";
    }
}
