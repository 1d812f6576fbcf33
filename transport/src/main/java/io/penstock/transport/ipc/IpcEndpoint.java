package io.penstock.transport.ipc;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * An endpoint and the directory that it stands for.
 *
 * @param text      as people write it.
 * @param directory absolute.
 * @param isNamed   whether it lies in the user's own directory, which is made when it is not there.
 */
record IpcEndpoint(String text, Path directory, boolean isNamed) {
    static final String SCHEME = "ipc";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,31}");

    static IpcEndpoint of(final URI uri) throws IOException {
        final String rest = String.valueOf(uri.getSchemeSpecificPart());
        if (SCHEME.equals(uri.getScheme()) && uri.getFragment() == null) {
            if (NAME.matcher(rest).matches()) {
                return new IpcEndpoint(
                        SCHEME + ":" + rest, Owner.sharedDirectory().resolve(rest), true);
            }
            if (rest.startsWith("/") && !rest.startsWith("//") && rest.indexOf('?') < 0) {
                return new IpcEndpoint(SCHEME + ":" + rest, Path.of(rest).normalize(), false);
            }
        }
        throw new IOException("endpoint: not for shared memory: " + uri
                + " (use ipc:NAME, of up to 32 letters, digits, dots, - and _, or ipc:/path/to/directory)");
    }

    URI uri() {
        return URI.create(text);
    }
}
