package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.GiopClient;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.SystemException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** Tells a name service of CORBA where the bridge is. What is there under the name is replaced. */
final class NamingRegistration {
    private static final int TIMEOUT_MS = 5000;
    private static final int ANSWER_LENGTH_MAX = 64 * 1024;
    private static final int PIECE_LENGTH = 64 * 1024;
    private static final String ALREADY_BOUND = "IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0";

    private NamingRegistration() {}

    /**
     * Registers.
     *
     * @param service   reference to the name service.
     * @param name      parts with {@code /} between them; of each, what follows its last dot is its kind.
     * @param reference to register.
     * @throws IOException when the service cannot be reached, or refuses.
     */
    static void register(final String service, final String name, final Ior reference) throws IOException {
        final Ior place;
        try {
            place = Ior.parse(service);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("bridge.iiop.naming: " + e.getMessage(), e);
        }
        // Whoever configured the service trusts it to know its own places.
        final GiopClient client = new GiopClient(place, ANSWER_LENGTH_MAX, PIECE_LENGTH, TIMEOUT_MS, host -> true);
        try {
            final List<String> parts = Arrays.asList(name.split("/", -1));
            for (int i = 1; i < parts.size(); i++) {
                bindContext(client, parts.subList(0, i));
            }
            client.call(
                    "rebind",
                    out -> {
                        write(out, parts);
                        reference.write(out);
                    },
                    GiopClient.Results.NONE);
        } catch (final IOException | SystemException e) {
            throw new IOException(
                    "bridge.iiop.naming: cannot register " + name + " with " + service + ": " + e.getMessage()
                            + " (start the name service first, or leave the key empty)",
                    e);
        } finally {
            client.close();
        }
    }

    private static void bindContext(final GiopClient client, final List<String> parts)
            throws IOException, SystemException {
        try {
            client.call("bind_new_context", out -> write(out, parts), GiopClient.Results.NONE);
        } catch (final SystemException e) {
            if (!String.valueOf(e.getMessage()).endsWith(ALREADY_BOUND)) {
                throw e;
            }
        }
    }

    private static void write(final CdrWriter out, final List<String> parts) throws SystemException {
        out.writeInt(parts.size());
        for (final String part : parts) {
            final int dot = part.lastIndexOf('.');
            out.string(dot < 0 ? part : part.substring(0, dot));
            out.string(dot < 0 ? "" : part.substring(dot + 1));
        }
    }
}
