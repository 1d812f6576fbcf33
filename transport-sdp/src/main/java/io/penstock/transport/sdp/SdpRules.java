package io.penstock.transport.sdp;

import io.penstock.transport.stream.StreamEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The file of rules by which Java decides which sockets use SDP. Java reads it once, with the first socket of the
 * process; so it can be made before that and not changed after.
 *
 * @param file that Java was given.
 */
record SdpRules(Path file) {
    private static final int PORT_MAX = 0xFFFF;

    /** The action to which a rule applies. */
    enum Action {
        BIND,
        CONNECT;

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** Makes the file if it is not there; else checks that a rule in it covers the endpoint. */
    void require(final Action action, final StreamEndpoint endpoint) throws IOException {
        final String rule = action.word() + " " + endpoint.host() + " "
                + (endpoint.port() == 0 ? "*" : String.valueOf(endpoint.port()));
        if (!Files.exists(file)) {
            Files.writeString(file, "# Which sockets use SDP: action, address, ports.\n" + rule + "\n");
            return;
        }
        int number = 0;
        for (final String line : Files.readAllLines(file)) {
            number++;
            final String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#") && covers(text, number, action, endpoint)) {
                return;
            }
        }
        throw new IOException(
                endpoint.uri() + ": no rule for it in " + file + " (add the line '" + rule + "' and start again)");
    }

    private boolean covers(final String text, final int number, final Action action, final StreamEndpoint endpoint)
            throws IOException {
        final String[] words = text.split("\\s+", -1);
        if (words.length != 3 || !(words[0].equalsIgnoreCase("bind") || words[0].equalsIgnoreCase("connect"))) {
            throw wrong(text, number);
        }
        return words[0].equalsIgnoreCase(action.word())
                && coversPort(words[2], endpoint.port(), text, number)
                && coversHost(words[1], endpoint, text, number);
    }

    private boolean coversPort(final String ports, final int port, final String text, final int number)
            throws IOException {
        if (ports.equals("*")) {
            return true;
        }
        final int dash = ports.indexOf('-');
        try {
            final int first = Integer.parseInt(dash < 0 ? ports : ports.substring(0, dash));
            final String last = dash < 0 ? ports : ports.substring(dash + 1);
            return port >= first && port <= (last.equals("*") ? PORT_MAX : Integer.parseInt(last));
        } catch (final NumberFormatException e) {
            throw wrong(text, number);
        }
    }

    private boolean coversHost(final String host, final StreamEndpoint endpoint, final String text, final int number)
            throws IOException {
        if (host.equals("*")) {
            return true;
        }
        final int slash = host.indexOf('/');
        final InetAddress[] named = InetAddress.getAllByName(slash < 0 ? host : host.substring(0, slash));
        for (final InetAddress wanted : endpoint.resolve()) {
            for (final InetAddress each : named) {
                final byte[] bytes = each.getAddress();
                final int bits;
                try {
                    bits = slash < 0 ? bytes.length * Byte.SIZE : Integer.parseInt(host.substring(slash + 1));
                } catch (final NumberFormatException e) {
                    throw wrong(text, number);
                }
                if (isPrefixEqual(bytes, wanted.getAddress(), bits)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isPrefixEqual(final byte[] one, final byte[] other, final int bits) {
        if (one.length != other.length || bits < 0 || bits > one.length * Byte.SIZE) {
            return false;
        }
        final int whole = bits / Byte.SIZE;
        if (!Arrays.equals(one, 0, whole, other, 0, whole)) {
            return false;
        }
        final int rest = bits % Byte.SIZE;
        return rest == 0 || (one[whole] & 0xFF) >> (Byte.SIZE - rest) == (other[whole] & 0xFF) >> (Byte.SIZE - rest);
    }

    private IOException wrong(final String text, final int number) {
        return new IOException(
                file + ":" + number + ": not a rule: " + text + " (use for example 'bind 10.0.0.1 5000-5010')");
    }
}
