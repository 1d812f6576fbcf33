package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.GiopClient;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.giop.SystemException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The bridge's name with a name service of CORBA. An object under the name is replaced; at the end the name is removed,
 * unless it names another object by then. Owned by one thread at a time.
 */
final class NamingRegistration {
    private static final System.Logger LOG = System.getLogger(NamingRegistration.class.getName());
    private static final int TIMEOUT_MS = 5000;
    private static final int END_TIMEOUT_MS = 2000;
    private static final int ANSWER_LENGTH_MAX = 64 * 1024;
    private static final int PIECE_LENGTH = 64 * 1024;
    private static final String ALREADY_BOUND = "IDL:omg.org/CosNaming/NamingContext/AlreadyBound:1.0";

    private final String service;
    private final String name;
    private final Ior place;
    private final List<String> parts;
    private final Ior reference;

    private NamingRegistration(final String service, final String name, final Ior place, final Ior reference) {
        this.service = service;
        this.name = name;
        this.place = place;
        this.reference = reference;
        parts = Arrays.asList(name.split("/", -1));
    }

    /**
     * Registers.
     *
     * @param service   reference to the name service.
     * @param name      parts with {@code /} between them; of each, what follows its last dot is its kind.
     * @param reference to register.
     * @return the registration, to be ended.
     * @throws IOException when the service cannot be reached, or refuses.
     */
    static NamingRegistration register(final String service, final String name, final Ior reference)
            throws IOException {
        final Ior place;
        try {
            place = Ior.parse(service);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("bridge.iiop.naming: " + e.getMessage(), e);
        }
        final NamingRegistration registration = new NamingRegistration(service, name, place, reference);
        registration.bind();
        return registration;
    }

    private GiopClient client(final int timeoutMs) {
        // The operator configured the service, so its own addresses are trusted.
        return new GiopClient(place, ANSWER_LENGTH_MAX, PIECE_LENGTH, timeoutMs, host -> true);
    }

    private void bind() throws IOException {
        final GiopClient client = client(TIMEOUT_MS);
        try {
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

    /**
     * Takes the name away when it is still the bridge's own; when that fails, or takes long, the service keeps it, and the log
     * says so.
     */
    void end() {
        final GiopClient client = client(END_TIMEOUT_MS);
        final FutureTask<Void> ending = new FutureTask<>(() -> unbind(client), null);
        final Thread thread = new Thread(ending, "penstock-bridge-naming");
        thread.setDaemon(true);
        thread.start();
        try {
            ending.get(END_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (final ExecutionException e) {
            sayLeft(String.valueOf(Objects.requireNonNullElse(e.getCause(), e).getMessage()));
        } catch (final TimeoutException e) {
            sayLeft("no answer within " + END_TIMEOUT_MS + " ms");
        } finally {
            client.close();
        }
    }

    private void unbind(final GiopClient client) {
        try {
            final Found found = new Found();
            client.call("resolve", out -> write(out, parts), found::read);
            if (found.isAt(reference)) {
                client.call("unbind", out -> write(out, parts), GiopClient.Results.NONE);
            }
        } catch (final IOException | SystemException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    private void sayLeft(final String reason) {
        LOG.log(
                System.Logger.Level.WARNING,
                "bridge.iiop.naming: {0} was not taken away from {1}: {2} (the name service may be gone)",
                name,
                service,
                reason);
    }

    /** The object that is registered under the name. */
    private static final class Found {
        private @Nullable Ior reference;

        void read(final CdrReader in) throws SystemException {
            reference = Ior.read(in);
        }

        /** Whether it is another text of that reference: a service may write it anew. */
        boolean isAt(final Ior other) {
            return reference != null
                    && reference.port() == other.port()
                    && reference.host().equals(other.host())
                    && reference.key().equals(other.key());
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
