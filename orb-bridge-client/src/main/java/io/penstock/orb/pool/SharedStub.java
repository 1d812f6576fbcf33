package io.penstock.orb.pool;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.ObjID;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;

/**
 * Makes a stub of the same object that has its connections from a factory. It is written as the serialized form of
 * {@link java.rmi.server.RemoteObject} says, and read back by the runtime.
 */
final class SharedStub implements InvocationHandler {
    private static final String PLAIN = "UnicastRef";
    private static final String WITH_FACTORY = "UnicastRef2";
    private static final byte HAS_FACTORY = 1;

    private final Object shared;
    // Held: when it is collected the runtime says so to the server, for both.
    private final Remote original;

    private SharedStub(final Object shared, final Remote original) {
        this.shared = shared;
        this.original = original;
    }

    /**
     * Makes another stub.
     *
     * @param type    of the object.
     * @param stub    of the object, as the runtime has made it.
     * @param factory makes its connections.
     */
    static <T extends Remote> T of(final Class<T> type, final T stub, final RMIClientSocketFactory factory)
            throws IOException {
        final InvocationHandler handler = Proxy.isProxyClass(stub.getClass()) ? Proxy.getInvocationHandler(stub) : null;
        if (!(handler instanceof RemoteObjectInvocationHandler)) {
            throw new IOException("pool: not a stub of the JDK's RMI: "
                    + stub.getClass().getName() + " (give what lookup or logon has returned)");
        }
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(
                    new RemoteObjectInvocationHandler(new Place(((RemoteObjectInvocationHandler) handler).getRef())));
        }
        final InvocationHandler made;
        try (ObjectInputStream in = new Input(new ByteArrayInputStream(bytes.toByteArray()), factory)) {
            made = (InvocationHandler) in.readObject();
        } catch (final ClassNotFoundException e) {
            throw new IOException("pool: the runtime does not know its own classes", e);
        }
        final Class<?>[] types = {type};
        final ClassLoader loader = type.getClassLoader();
        return type.cast(Proxy.newProxyInstance(
                loader, types, new SharedStub(Proxy.newProxyInstance(loader, types, made), stub)));
    }

    @Override
    public Object invoke(final Object proxy, final Method method, final Object[] arguments) throws Throwable {
        try {
            return method.invoke(shared, arguments);
        } catch (final InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Override
    public String toString() {
        return "SharedStub[" + original + "]";
    }

    /** Stands for the factory, which is not written. */
    private static final class Mark implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** Puts the factory where its mark is. */
    private static final class Input extends ObjectInputStream {
        private final RMIClientSocketFactory factory;

        Input(final InputStream in, final RMIClientSocketFactory factory) throws IOException {
            super(in);
            this.factory = factory;
            enableResolveObject(true);
        }

        @Override
        protected Object resolveObject(final Object read) {
            return read instanceof Mark ? factory : read;
        }
    }

    /** Where the object is, to be written with a factory. */
    @SuppressWarnings({"deprecation", "serial"})
    private static final class Place implements RemoteRef {
        private static final long serialVersionUID = 1L;

        private final String host;
        private final int port;
        private final ObjID id;

        Place(final RemoteRef ref) throws IOException {
            final String form = ref.getRefClass(null);
            if (!form.equals(PLAIN) && !form.equals(WITH_FACTORY)) {
                throw new IOException("pool: unknown reference: " + form + " (give a stub of an exported object)");
            }
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new Output(bytes)) {
                ref.writeExternal(out);
            }
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                final boolean hasFactory = form.equals(WITH_FACTORY) && in.readByte() == HAS_FACTORY;
                host = in.readUTF();
                port = in.readInt();
                if (hasFactory) {
                    in.readObject();
                }
                id = ObjID.read(in);
            } catch (final ClassNotFoundException e) {
                throw new IOException("pool: the stub has an unknown factory", e);
            }
        }

        @Override
        public String getRefClass(final ObjectOutput out) {
            return WITH_FACTORY;
        }

        @Override
        public void writeExternal(final ObjectOutput out) throws IOException {
            out.writeByte(HAS_FACTORY);
            out.writeUTF(host);
            out.writeInt(port);
            out.writeObject(new Mark());
            id.write(out);
            out.writeBoolean(false);
        }

        @Override
        public void readExternal(final java.io.ObjectInput in) throws IOException {
            throw new IOException("pool: is not read");
        }

        @Override
        public Object invoke(final Remote stub, final Method method, final Object[] arguments, final long hash) {
            throw new UnsupportedOperationException("pool: is not called");
        }

        @Override
        public java.rmi.server.RemoteCall newCall(
                final java.rmi.server.RemoteObject stub,
                final java.rmi.server.Operation[] operations,
                final int number,
                final long hash) {
            throw new UnsupportedOperationException("pool: is not called");
        }

        @Override
        public void invoke(final java.rmi.server.RemoteCall call) {
            throw new UnsupportedOperationException("pool: is not called");
        }

        @Override
        public void done(final java.rmi.server.RemoteCall call) {
            throw new UnsupportedOperationException("pool: is not called");
        }

        @Override
        public int remoteHashCode() {
            return id.hashCode();
        }

        @Override
        public boolean remoteEquals(final RemoteRef other) {
            return this == other;
        }

        @Override
        public String remoteToString() {
            return host + ":" + port;
        }
    }

    /** Writes the stub's own factory, if it has one, as a mark. */
    private static final class Output extends ObjectOutputStream {
        Output(final OutputStream out) throws IOException {
            super(out);
            enableReplaceObject(true);
        }

        @Override
        protected Object replaceObject(final Object written) {
            return written instanceof RMIClientSocketFactory ? new Mark() : written;
        }
    }
}
