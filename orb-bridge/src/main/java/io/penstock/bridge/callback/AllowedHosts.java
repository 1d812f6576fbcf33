package io.penstock.bridge.callback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.List;
import java.util.regex.Pattern;

/** Which addresses the bridge calls: the caller's own, and those that are configured. Safe on any thread. */
public final class AllowedHosts {
    private static final String ANY = "*";

    /** Text that {@link InetAddress} reads without asking a name server; it asks one for a part above 255. */
    private static final Pattern NUMERIC = Pattern.compile(
            "BYTE(\\.BYTE){3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*".replace("BYTE", "(25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})"));

    private final List<String> configured;

    /**
     * Says which.
     *
     * @param configured addresses beside the caller's; {@code *} = any.
     */
    public AllowedHosts(final List<String> configured) {
        this.configured = configured;
    }

    /**
     * Whether a client may have a host called. No name server is asked.
     *
     * @param host   that the client names.
     * @param caller where the client is.
     * @return true when it is the caller's address, both are of this machine, or it is configured.
     */
    public boolean isAllowed(final String host, final InetAddress caller) {
        if (isConfigured(host)) {
            return true;
        }
        if (!isNumeric(host)) {
            return host.equals("localhost") && isOfThisMachine(caller);
        }
        try {
            final InetAddress address = InetAddress.getByName(host);
            return address.equals(caller) || (isOfThisMachine(address) && isOfThisMachine(caller));
        } catch (final IOException e) {
            return false;
        }
    }

    /**
     * Whether what a client is sent at an allowed host leaves this machine, although nobody has named the host. What the bridge
     * sends to listeners is not encrypted: clients whose connections are do not expect that.
     *
     * @param host   that the client names, which {@link #isAllowed}.
     * @param caller where the client is.
     * @return false for hosts of this machine, and those that are configured.
     */
    public boolean isUnnamedElsewhere(final String host, final InetAddress caller) {
        return !isConfigured(host) && !isOfThisMachine(caller);
    }

    private boolean isConfigured(final String host) {
        return configured.contains(ANY) || configured.contains(host);
    }

    /** Whether it is an address, which nobody has to be asked for. */
    static boolean isNumeric(final String host) {
        return NUMERIC.matcher(host).matches();
    }

    private static boolean isOfThisMachine(final InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (final IOException e) {
            return false;
        }
    }
}
