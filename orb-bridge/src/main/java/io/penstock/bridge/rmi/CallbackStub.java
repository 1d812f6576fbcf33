package io.penstock.bridge.rmi;

import io.penstock.orb.Callback;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.rmi.server.ObjID;

/** Where a client's listener is, as its {@link Callback} says it. The bridge makes no stub of it. */
record CallbackStub(String host, int port, ObjID id) {
    private static final int LENGTH_MAX = 1024;
    private static final int PORT_MAX = 65_535;
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
            final CallbackStub stub = new CallbackStub(in.readUTF(), in.readInt(), ObjID.read(in));
            if (stub.port < 1 || stub.port > PORT_MAX) {
                throw new InvalidObjectException("callback: no such port: " + stub.port + REMEDY);
            }
            return stub;
        } catch (final InvalidObjectException e) {
            throw e;
        } catch (final IOException e) {
            throw new InvalidObjectException("callback: cannot be read: " + e.getMessage() + REMEDY);
        }
    }
}
