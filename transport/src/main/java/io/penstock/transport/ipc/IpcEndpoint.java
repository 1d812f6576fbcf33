package io.penstock.transport.ipc;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An endpoint and what it stands for.
 *
 * @param text       as people write it.
 * @param name       of it, without options.
 * @param directory  absolute.
 * @param isNamed    whether it lies in the user's own directory, which is made when it is not there.
 * @param ringLength of the rings that a connector makes, and the longest that a listener takes; in bytes.
 * @param access     who may connect.
 * @param byFutex    whether this end waits by futexes, where all its peers can wake it so; by sockets otherwise.
 */
record IpcEndpoint(
        String text, String name, Path directory, boolean isNamed, int ringLength, Access access, boolean byFutex) {
    static final String SCHEME = "ipc";

    private static final String RING_LENGTH = "ringLength";
    private static final String MODE = "mode";
    private static final String WAIT = "wait";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,31}");
    private static final Pattern PATH = Pattern.compile("/(?!/)[^?]*");
    private static final Pattern PARTS = Pattern.compile("([^?]*)(?:\\?(.*))?");
    private static final Pattern OPTION = Pattern.compile("([A-Za-z]+)=([0-9]{1,10}|[a-z]{1,10})");

    static IpcEndpoint of(final URI uri) throws IOException {
        final Matcher parts = PARTS.matcher(String.valueOf(uri.getSchemeSpecificPart()));
        if (!SCHEME.equals(uri.getScheme()) || uri.getFragment() != null || !parts.matches()) {
            throw malformed(uri);
        }
        final String rest = parts.group(1);
        final boolean isNamed = NAME.matcher(rest).matches();
        if (!isNamed && !PATH.matcher(rest).matches()) {
            throw malformed(uri);
        }
        final Path directory =
                isNamed ? Access.sharedDirectory().resolve(rest) : Path.of(rest).normalize();
        final IpcEndpoint plain = new IpcEndpoint(
                uri.toString(),
                SCHEME + ":" + rest,
                directory,
                isNamed,
                RingFile.RING_LENGTH_DEFAULT,
                Access.USER,
                false);
        return parts.group(2) == null ? plain : plain.with(parts.group(2));
    }

    private static IOException malformed(final URI uri) {
        return new IOException("endpoint: not for shared memory: " + uri
                + " (use ipc:NAME, of up to 32 letters, digits, dots, - and _, or ipc:/path/to/directory)");
    }

    private IpcEndpoint with(final String options) throws IOException {
        IpcEndpoint result = this;
        for (final String option : options.split("&", -1)) {
            final Matcher matcher = OPTION.matcher(option);
            if (!matcher.matches()) {
                throw badOption(option);
            }
            result = result.with(option, matcher.group(1), matcher.group(2));
        }
        return result;
    }

    private IpcEndpoint with(final String option, final String key, final String value) throws IOException {
        final boolean isNumber = Character.isDigit(value.charAt(0));
        if (key.equals(RING_LENGTH) && isNumber) {
            return withRingLength(Long.parseLong(value));
        } else if (key.equals(MODE) && isNumber) {
            return withMode(Long.parseLong(value));
        } else if (key.equals(WAIT) && !isNumber) {
            return withWait(value);
        }
        throw badOption(option);
    }

    private IpcEndpoint withRingLength(final long value) throws IOException {
        if (!RingFile.isRingLength(value)) {
            throw new IOException(text + ": " + RING_LENGTH + ": out of range: " + value + " (use a power of two from "
                    + RingFile.RING_LENGTH_MIN + " to " + RingFile.RING_LENGTH_MAX + ")");
        }
        return new IpcEndpoint(text, name, directory, isNamed, (int) value, access, byFutex);
    }

    private IpcEndpoint withMode(final long value) throws IOException {
        if (value == 660 && isNamed) {
            throw new IOException(
                    text + ": mode: not for a name: 660 (use ipc:/path/to/directory, which the group can enter)");
        }
        if (value != 600 && value != 660) {
            throw new IOException(text + ": mode: no such choice: " + value + " (use 600 or 660)");
        }
        return new IpcEndpoint(
                text, name, directory, isNamed, ringLength, value == 660 ? Access.GROUP : Access.USER, byFutex);
    }

    private IpcEndpoint withWait(final String value) throws IOException {
        if (!value.equals("futex") && !value.equals("socket")) {
            throw new IOException(text + ": wait: no such choice: " + value + " (use futex or socket)");
        }
        return new IpcEndpoint(text, name, directory, isNamed, ringLength, access, value.equals("futex"));
    }

    private IOException badOption(final String option) {
        return new IOException(text + ": no such option: " + option + " (use " + RING_LENGTH + "=BYTES, " + MODE
                + "=600, " + MODE + "=660, " + WAIT + "=socket or " + WAIT + "=futex)");
    }

    URI uri() {
        return URI.create(text);
    }
}
