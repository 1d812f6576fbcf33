package io.penstock.bridge.rmi;

import io.penstock.orb.Callback;
import io.penstock.orb.MessageListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.lang.reflect.Proxy;
import java.rmi.server.ObjID;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;

/**
 * Where a client's listener is, as its {@link Callback} says it. A stub is made of it by the bridge itself, after the host
 * was looked at.
 */
record CallbackStub(String host, int port, ObjID id) {
    private static final int LENGTH_MAX = 1024;
    private static final String KIND = "UnicastRef";
    private static final String REMEDY = " (use a stub of UnicastRemoteObject.exportObject, without socket factories)";

    /** Reads plain values only; nothing is made of what the client has sent, and nobody is called. */
    static CallbackStub of(final Callback callback) throws InvalidObjectException {
        final byte[] reference = callback.reference();
        if (reference.length == 0 || reference.length > LENGTH_MAX) {
            throw new InvalidObjectException("callback: no listener: " + reference.length + " bytes" + REMEDY);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(reference))) {
            in.setObjectInputFilter(info -> ObjectInputFilter.Status.REJECTED);
            final String kind = in.readUTF();
            if (!kind.equals(KIND)) {
                throw new InvalidObjectException("callback: not a plain stub: " + kind + REMEDY);
            }
            return new CallbackStub(in.readUTF(), in.readInt(), ObjID.read(in));
        } catch (final InvalidObjectException e) {
            throw e;
        } catch (final IOException e) {
            throw new InvalidObjectException("callback: cannot be read: " + e.getMessage() + REMEDY);
        }
    }

    /** The runtime calls the host now, and from time to time, so that the listener is kept there. */
    MessageListener connect() throws InvalidObjectException {
        try {
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(new RemoteObjectInvocationHandler(written()));
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                final RemoteObjectInvocationHandler handler = (RemoteObjectInvocationHandler) in.readObject();
                return (MessageListener) Proxy.newProxyInstance(
                        MessageListener.class.getClassLoader(), new Class<?>[] {MessageListener.class}, handler);
            }
        } catch (final IOException | ClassNotFoundException e) {
            throw new InvalidObjectException("callback: cannot be connected: " + e.getMessage() + REMEDY);
        }
    }

    /** Only written: read again it is the runtime's own. */
    private RemoteRef written() {
        return (RemoteRef) Proxy.newProxyInstance(
                CallbackStub.class.getClassLoader(), new Class<?>[] {RemoteRef.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("getRefClass")) {
                        return KIND;
                    }
                    if (method.getName().equals("writeExternal")) {
                        write((ObjectOutput) arguments[0]);
                        return null;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }

    private void write(final ObjectOutput out) throws IOException {
        out.writeUTF(host);
        out.writeInt(port);
        id.write(out);
        out.writeBoolean(false);
    }
}
