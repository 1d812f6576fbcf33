package io.penstock.bridge.rmi;

import io.penstock.orb.MessageListener;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.ObjID;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.rmi.server.RemoteRef;

/** Goes as a reference of the runtime to any host and port, without the runtime in this process calling there. */
@SuppressWarnings("serial") // It is only written.
final class ForgedRef implements RemoteRef {
    private static final long serialVersionUID = 1L;

    private final String host;
    private final int port;

    ForgedRef(final String host, final int port) {
        this.host = host;
        this.port = port;
    }

    /** A listener that seems to be there. */
    static MessageListener stub(final String host, final int port) {
        return (MessageListener) Proxy.newProxyInstance(
                MessageListener.class.getClassLoader(),
                new Class<?>[] {MessageListener.class},
                new RemoteObjectInvocationHandler(new ForgedRef(host, port)));
    }

    @Override
    public String getRefClass(final ObjectOutput out) {
        return "UnicastRef";
    }

    @Override
    public void writeExternal(final ObjectOutput out) throws IOException {
        out.writeUTF(host);
        out.writeInt(port);
        new ObjID().write(out);
        out.writeBoolean(false);
    }

    @Override
    public void readExternal(final ObjectInput in) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object invoke(final Remote object, final Method method, final Object[] arguments, final long hash) {
        throw new UnsupportedOperationException();
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public java.rmi.server.RemoteCall newCall(
            final RemoteObject object,
            final java.rmi.server.Operation[] operations,
            final int number,
            final long hash) {
        throw new UnsupportedOperationException();
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public void invoke(final java.rmi.server.RemoteCall call) {
        throw new UnsupportedOperationException();
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public void done(final java.rmi.server.RemoteCall call) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int remoteHashCode() {
        return port;
    }

    @Override
    public boolean remoteEquals(final RemoteRef other) {
        return equals(other);
    }

    @Override
    public String remoteToString() {
        return host + ":" + port;
    }
}
