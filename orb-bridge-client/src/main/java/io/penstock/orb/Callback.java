package io.penstock.orb;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;

/**
 * Whom to call for messages. It goes by itself, so that the bridge looks at the address to call before anything is sent
 * there.
 */
public final class Callback implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final ThreadLocal<Check> CHECK = new ThreadLocal<>();

    // An exported object goes as its stub.
    @SuppressWarnings("serial")
    private final MessageListener listener;

    private Callback(final MessageListener listener) {
        this.listener = listener;
    }

    /**
     * Has a listener called.
     *
     * @param listener exported, kept by the program as long as it is to be called.
     * @return the callback.
     */
    public static Callback of(final MessageListener listener) {
        if (listener == null) {
            throw new IllegalArgumentException("callback: no listener (give one, or subscribe without a callback)");
        }
        return new Callback(listener);
    }

    public MessageListener listener() {
        return listener;
    }

    /**
     * Has listeners that this thread receives looked at before anything is sent to them. For the bridge.
     *
     * @param check of this thread from now on.
     */
    public static void check(final Check check) {
        CHECK.set(check);
    }

    private void readObject(final ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        if (listener == null) {
            throw new InvalidObjectException("callback: no listener (give one)");
        }
        final Check check = CHECK.get();
        if (check != null) {
            check.check(listener);
        }
    }

    /** Looks at a listener that was received. */
    public interface Check {
        /**
         * Refuses a listener, or not.
         *
         * @param listener that was received.
         * @throws InvalidObjectException saying why it is refused.
         */
        void check(MessageListener listener) throws InvalidObjectException;
    }
}
