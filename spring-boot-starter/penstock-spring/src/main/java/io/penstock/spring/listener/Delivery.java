package io.penstock.spring.listener;

import io.micrometer.observation.Observation;
import io.penstock.client.Message;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** A message on its way from a subscription to a listener, once. */
public final class Delivery implements Acknowledgment {
    private static final Log LOG = LogFactory.getLog(PenstockListenerContainer.class);
    private static final AtomicIntegerFieldUpdater<Delivery> IS_DONE =
            AtomicIntegerFieldUpdater.newUpdater(Delivery.class, "isDone");

    private final Message message;
    private final int length;
    private final Source source;

    /** From the client's thread to the listener's; null when nobody observes. */
    private @Nullable Observation receipt;

    private int attempt = 1;
    private volatile int isDone;

    Delivery(final Message message, final int length, final Source source) {
        this.message = message;
        this.length = length;
        this.source = source;
    }

    /**
     * The message.
     *
     * @return a copy of what was delivered, for this delivery alone.
     */
    public Message message() {
        return message;
    }

    /**
     * How often the listener was called with it in this container, this time included.
     *
     * @return from 1.
     */
    public int attempt() {
        return attempt;
    }

    void attempt(final int newAttempt) {
        attempt = newAttempt;
    }

    /** The credit that it has taken, in bytes. */
    int length() {
        return length;
    }

    boolean isDone() {
        return isDone != 0;
    }

    @Nullable
    Observation receipt() {
        return receipt;
    }

    void receipt(final @Nullable Observation newReceipt) {
        receipt = newReceipt;
    }

    /** The listener is not called with it. */
    void drop() {
        final Observation known = receipt;
        if (known != null) {
            try {
                known.stop();
            } catch (final RuntimeException e) {
                LOG.warn(this + ": its observation cannot be ended: " + e, e);
            }
        }
    }

    @Override
    public void acknowledge() {
        if (IS_DONE.compareAndSet(this, 0, 1)) {
            source.done(this);
        }
    }

    @Override
    public String toString() {
        return message.toString();
    }
}
