package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.RecordingListener;
import io.penstock.orb.Callback;
import io.penstock.orb.MessageListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallbackStubTest {
    @Test
    void shouldSayWhereTheListenerIsWhenACallbackWasReceived() throws Exception {
        final Callback received = (Callback) read(written(Callback.of(ForgedRef.stub("10.1.2.3", 4567))));

        final CallbackStub stub = CallbackStub.of(received);

        assertThat(stub.host()).isEqualTo("10.1.2.3");
        assertThat(stub.port()).isEqualTo(4567);
        assertThat(received.listener()).isNull();
    }

    @Test
    void shouldRefuseAListenerWhenItIsNotExported() {
        final MessageListener listener = new RecordingListener();

        assertThatThrownBy(() -> written(Callback.of(listener)))
                .isInstanceOf(NotSerializableException.class)
                .hasMessage("callback: the listener is not exported: " + RecordingListener.class.getName()
                        + " (export it by UnicastRemoteObject.exportObject)");
    }

    @Test
    void shouldRefuseWhatIsReceivedWhenItIsNoPlainReference() throws Exception {
        final byte[] known = reference("UnicastRef", "10.1.2.3");

        assertRefused(null, "callback: no listener: 0 bytes");
        assertRefused(new byte[0], "callback: no listener: 0 bytes");
        assertRefused(new byte[1025], "callback: no listener: 1025 bytes");
        assertRefused(new byte[100], "callback: cannot be read: invalid stream header: 00000000");
        assertRefused(reference("UnicastRef2", "10.1.2.3"), "callback: not a plain stub: UnicastRef2");
        assertRefused(reference("", "10.1.2.3"), "callback: not a plain stub: ");
        for (final int port : new int[] {-1, 0, 65_536}) {
            assertRefused(reference("UnicastRef", "10.1.2.3", port), "callback: no such port: " + port);
        }
        for (int length = 1; length < known.length - 1; length++) {
            assertRefused(Arrays.copyOf(known, length), "callback: cannot be read: ");
        }
    }

    /** Classes of others are not made when they stand where values should. */
    @Test
    void shouldRefuseWhatIsReceivedWhenItHasAnObject() throws Exception {
        assertRefused(written("a"), "callback: cannot be read: ");
        assertRefused(written(new ArrayList<>(List.of("a"))), "callback: cannot be read: ");
    }

    private static byte[] reference(final String kind, final String host) throws Exception {
        return reference(kind, host, 1);
    }

    private static byte[] reference(final String kind, final String host, final int port) throws Exception {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeUTF(kind);
            new ForgedRef(host, port).writeExternal(out);
        }
        return bytes.toByteArray();
    }

    private static void assertRefused(final byte @Nullable [] reference, final String reason) throws Exception {
        final Callback callback =
                (Callback) read(RawCall.renamed(written(new Forged(reference)), Forged.class, Callback.class));

        assertThatThrownBy(() -> CallbackStub.of(callback))
                .isInstanceOf(InvalidObjectException.class)
                .hasMessageStartingWith(reason)
                .hasMessageEndingWith(" (use a stub of UnicastRemoteObject.exportObject, without socket factories)");
    }

    private static byte[] written(final Object object) throws Exception {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object read(final byte[] bytes) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    /** Has the fields of a callback, with anything in them. */
    @SuppressWarnings("UnusedVariable")
    private static final class Forged implements Serializable {
        private static final long serialVersionUID = 1L;

        private final byte @Nullable [] reference;

        Forged(final byte @Nullable [] reference) {
            this.reference = reference;
        }
    }
}
