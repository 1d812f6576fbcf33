package io.penstock.bridge.rmi;

import io.penstock.orb.PenstockBroker;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.rmi.server.ObjID;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;
import java.rmi.server.UID;

/** A call that is written byte by byte, since the runtime would not send it. */
final class RawCall {
    private static final long REGISTRY_HASH = 4905912898345647071L;
    private static final int ACCEPTED = 0x4E;
    private static final int RETURNED = 0x51;
    private static final int ACKNOWLEDGED = 0x54;

    private RawCall() {}

    /**
     * Header, protocol, the client's address, and a call of an object.
     *
     * @param broker    a stub of the object.
     * @param name      of the method, which there is once.
     * @param arguments are written as objects, whatever the method takes.
     */
    static byte[] of(final PenstockBroker broker, final String name, final Object... arguments) throws Exception {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream data = new DataOutputStream(bytes);
        data.writeInt(0x4A524D49);
        data.writeShort(2);
        data.writeByte(0x4B);
        data.writeUTF("127.0.0.1");
        data.writeInt(0);
        data.writeByte(0x50);
        final ObjectOutputStream out = new Arguments(data);
        id(broker).write(out);
        out.writeInt(-1);
        out.writeLong(MethodHash.of(method(name)));
        for (final Object each : arguments) {
            out.writeObject(each);
        }
        out.flush();
        return bytes.toByteArray();
    }

    /** Asks the registry for a name. */
    static byte[] lookup(final String name) throws IOException {
        return message(0, 2, REGISTRY_HASH, name);
    }

    /** A call of an object by its number. */
    static byte[] message(final long object, final int operation, final long hash, final Object argument)
            throws IOException {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final DataOutputStream data = new DataOutputStream(bytes);
        data.writeInt(0x4A524D49);
        data.writeShort(2);
        data.writeByte(0x4B);
        data.writeUTF("127.0.0.1");
        data.writeInt(0);
        data.writeByte(0x50);
        final ObjectOutputStream out = new ObjectOutputStream(data);
        out.writeLong(object);
        out.writeInt(0);
        out.writeLong(0);
        out.writeShort(0);
        out.writeInt(operation);
        out.writeLong(hash);
        out.writeObject(argument);
        out.flush();
        return bytes.toByteArray();
    }

    private static Method method(final String name) throws NoSuchMethodException {
        for (final Method each : PenstockBroker.class.getMethods()) {
            if (each.getName().equals(name)) {
                return each;
            }
        }
        throw new NoSuchMethodException(name);
    }

    private static ObjID id(final PenstockBroker broker) throws Exception {
        final RemoteRef ref = ((RemoteObjectInvocationHandler) Proxy.getInvocationHandler(broker)).getRef();
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            ref.writeExternal(out);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            final boolean hasFactory = ref.getRefClass(null).equals("UnicastRef2") && in.readByte() != 0;
            in.readUTF();
            in.readInt();
            if (hasFactory) {
                in.readObject();
            }
            return ObjID.read(in);
        }
    }

    /** The same bytes with another name in place of each of a class. */
    static byte[] renamed(final byte[] bytes, final Class<?> from, final Class<?> to) {
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .replace(counted(from.getName()), counted(to.getName()))
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String counted(final String name) {
        return "" + (char) 0 + (char) name.length() + name;
    }

    /** Sends the first call of a connection, and gives what it returns or throws. */
    static Object answer(final Socket socket, final byte[] call) throws Exception {
        final ObjectInputStream in = begunAnswer(socket, call);
        UID.read(in);
        return in.readObject();
    }

    /** Likewise, says that the answer has come, and makes nothing of what is in it. */
    static void acknowledge(final Socket socket, final byte[] call) throws Exception {
        final UID id = UID.read(begunAnswer(socket, call));
        final DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeByte(ACKNOWLEDGED);
        id.write(out);
        out.flush();
    }

    private static ObjectInputStream begunAnswer(final Socket socket, final byte[] call) throws IOException {
        socket.getOutputStream().write(call);
        final DataInputStream data = new DataInputStream(socket.getInputStream());
        expect(ACCEPTED, data.readByte());
        data.readUTF();
        data.readInt();
        expect(RETURNED, data.readByte());
        final ObjectInputStream in = new Answer(data);
        in.readByte();
        return in;
    }

    private static void expect(final int expected, final int value) throws IOException {
        if (value != expected) {
            throw new IOException("not the answer: " + value);
        }
    }

    /** Says, as the runtime does, that classes are from nowhere. */
    private static final class Arguments extends ObjectOutputStream {
        Arguments(final OutputStream out) throws IOException {
            super(out);
        }

        @Override
        protected void annotateClass(final Class<?> type) throws IOException {
            writeObject(null);
        }

        @Override
        protected void annotateProxyClass(final Class<?> type) throws IOException {
            writeObject(null);
        }
    }

    /** Reads where a class is from, too. */
    private static final class Answer extends ObjectInputStream {
        Answer(final InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(final ObjectStreamClass type) throws IOException, ClassNotFoundException {
            readObject();
            return super.resolveClass(type);
        }
    }
}
