package io.penstock.orb;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteRef;

/**
 * Whom to call for messages. It goes as bytes that say where the listener is, not as its stub: the RMI runtime calls the
 * address in every stub that it has read, and the bridge looks at the address first.
 */
public final class Callback implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final byte[] NONE = {};

    private final transient MessageListener listener;
    private final byte[] reference;

    private Callback(final MessageListener listener, final byte[] reference) {
        this.listener = listener;
        this.reference = reference;
    }

    /**
     * Has a listener called.
     *
     * @param listener exported, or its stub; the program has to hold the exported object as long as it is to be called,
     *     since the bridge is no client of the runtime's collector, which takes what nobody holds.
     * @return the callback.
     */
    public static Callback of(final MessageListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("callback: no listener (give one, or subscribe without a callback)");
        }
        return new Callback(listener, NONE);
    }

    /**
     * Has a listener called by RMI-IIOP. For clients of the bridge that speak that.
     *
     * @param reference of the listener, {@code IOR:…}, as {@code ORB.object_to_string} gives it of its stub.
     * @return the callback.
     */
    public static Callback at(final String reference) {
        if (reference == null || reference.isEmpty()) {
            throw new IllegalArgumentException(
                    "callback: no reference (use ORB.object_to_string of the listener's stub)");
        }
        return new Callback(null, reference.getBytes(StandardCharsets.US_ASCII));
    }

    /**
     * The listener, where the callback was made.
     *
     * @return the same that was given; null when the callback was received, or has a reference.
     */
    public MessageListener listener() {
        return listener;
    }

    /**
     * Where the listener is. For the bridge.
     *
     * @return what the runtime writes of a stub: the kind of its reference, and the reference, none before it was sent; or the
     *     characters of the reference that {@link #at} was given.
     */
    public byte[] reference() {
        return reference == null ? NONE : reference.clone();
    }

    private Object writeReplace() throws ObjectStreamException {
        return listener == null ? this : new Callback(null, reference(listener));
    }

    private static byte[] reference(final MessageListener listener) throws ObjectStreamException {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            final RemoteRef ref = ref(RemoteObject.toStub(listener));
            out.writeUTF(ref.getRefClass(out));
            ref.writeExternal(out);
        } catch (final NoSuchObjectException e) {
            throw new NotSerializableException("callback: the listener is not exported: "
                    + listener.getClass().getName() + " (export it by UnicastRemoteObject.exportObject)");
        } catch (final ObjectStreamException e) {
            throw e;
        } catch (final IOException e) {
            throw new InvalidObjectException("callback: the stub cannot be read: " + e.getMessage() + " (use a stub of"
                    + " UnicastRemoteObject.exportObject)");
        }
        return bytes.toByteArray();
    }

    private static RemoteRef ref(final Remote stub) throws NotSerializableException {
        final Object known = Proxy.isProxyClass(stub.getClass()) ? Proxy.getInvocationHandler(stub) : stub;
        if (known instanceof RemoteObject && ((RemoteObject) known).getRef() != null) {
            return ((RemoteObject) known).getRef();
        }
        throw new NotSerializableException("callback: no stub: "
                + stub.getClass().getName() + " (use a stub of UnicastRemoteObject.exportObject)");
    }
}
