package io.penstock.admin.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The path and the parameters of a request, decoded once. Immutable.
 *
 * @param segments of the path.
 * @param query    parameters by name.
 */
record RequestLine(List<String> segments, Map<String, String> query) {
    private static final int PARAMETER_COUNT_MAX = 32;

    /** Reads what stands behind the method. Throws a problem when it is not well formed. */
    static RequestLine parse(final String uri) {
        if (!uri.startsWith("/")) {
            throw bad("not a path: " + uri + " (ask for a path of this server)");
        }
        final int question = uri.indexOf('?');
        final String path = question < 0 ? uri : uri.substring(0, question);
        final List<String> segments = new ArrayList<>();
        for (final String segment : path.substring(1).split("/", -1)) {
            final String decoded = decode(segment, false);
            if (decoded.equals(".") || decoded.equals("..")) {
                throw bad("goes through a folder: " + path + " (ask for the path itself)");
            }
            segments.add(decoded);
        }
        final Map<String, String> query = new LinkedHashMap<>();
        if (question >= 0 && question + 1 < uri.length()) {
            for (final String pair : uri.substring(question + 1).split("&", -1)) {
                final int equals = pair.indexOf('=');
                final String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
                final String value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
                if (query.size() == PARAMETER_COUNT_MAX || query.put(name, value) != null) {
                    throw bad("too many parameters, or one of them twice: " + name + " (send each once)");
                }
            }
        }
        return new RequestLine(segments, query);
    }

    private static String decode(final String text, final boolean isPlusSpace) {
        final ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (c == '%') {
                bytes.put((byte) escaped(text, i));
                i += 2;
            } else if (c < 0x80) {
                bytes.put((byte) (c == '+' && isPlusSpace ? ' ' : c));
            } else {
                throw bad("character above 127 (encode it as UTF-8, with %)");
            }
        }
        try {
            final String decoded =
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
            if (decoded.indexOf('\0') >= 0) {
                throw bad("has the character NUL (leave it out)");
            }
            return decoded;
        } catch (final CharacterCodingException e) {
            throw bad("not UTF-8: " + text + " (encode it as UTF-8, with %)");
        }
    }

    private static int escaped(final String text, final int at) {
        final int high = at + 1 < text.length() ? Character.digit(text.charAt(at + 1), 16) : -1;
        final int low = at + 2 < text.length() ? Character.digit(text.charAt(at + 2), 16) : -1;
        if (high < 0 || low < 0) {
            throw bad("% without two digits behind it: " + text + " (write it as %25)");
        }
        return high << 4 | low;
    }

    private static ProblemException bad(final String detail) {
        return new ProblemException(400, "BAD_PATH", "path: " + detail);
    }
}
