package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.Wait;
import io.penstock.orb.BrokerException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client takes messages or records, and waits when there are none. It holds a thread only while there is something to
 * do; nothing is taken for a client that is known to wait no more.
 *
 * @param <T> what is taken.
 */
final class TakingCall<T> implements Runnable {
    private final Call call;
    private final Source<T> source;
    private final long deadlineNs;

    /**
     * Takes nothing yet.
     *
     * @param call      to answer.
     * @param source    to take from.
     * @param timeoutMs longest wait.
     */
    TakingCall(final Call call, final Source<T> source, final long timeoutMs) {
        this.call = call;
        this.source = source;
        deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.max(0, timeoutMs));
    }

    @Override
    public void run() {
        if (call.isOver()) {
            call.endWork();
            return;
        }
        try {
            call.beginHandOver();
            final T taken = source.take();
            final long leftNs = deadlineNs - System.nanoTime();
            if (source.isSomething(taken)) {
                call.answer(out -> source.write(out, taken), reason -> source.end(taken, reason));
                return;
            }
            call.endHandOver();
            if (leftNs <= 0) {
                call.answer(out -> source.write(out, taken));
                return;
            }
            final Round round = new Round();
            round.begin(leftNs);
        } catch (final Throwable e) {
            // Whatever it is, its client waits.
            call.endHandOver();
            call.onFailure(e);
        }
    }

    /** Where it is taken from. */
    interface Source<T> {
        /** Takes what there is. */
        T take() throws BrokerException;

        /** Whether there is no need to wait. */
        boolean isSomething(T taken);

        Wait await(Runnable ready) throws BrokerException;

        void write(CdrWriter out, T taken) throws SystemException;

        /**
         * Ends it, so that it does not go on after the loss.
         *
         * @param taken  what cannot be written.
         * @param reason why.
         * @return the error for the client.
         */
        BrokerException end(T taken, SystemException reason);
    }

    /** One wait: it ends when there is something, when the time is over, or when the client gives up. */
    private final class Round {
        private final AtomicBoolean isOver = new AtomicBoolean();
        private volatile @Nullable Wait wait;
        private volatile @Nullable ScheduledFuture<?> timer;

        void begin(final long leftNs) throws BrokerException {
            call.onCancel(this::giveUp);
            wait = source.await(this::goOn);
            timer = call.connection().schedule(this::goOn, leftNs);
            if (isOver.get()) {
                release();
            }
        }

        private void goOn() {
            if (isOver.compareAndSet(false, true)) {
                release();
                call.submit(TakingCall.this);
            }
        }

        private void giveUp() {
            if (isOver.compareAndSet(false, true)) {
                release();
                call.endWork();
            }
        }

        private void release() {
            final Wait knownWait = wait;
            if (knownWait != null) {
                knownWait.end();
            }
            final ScheduledFuture<?> knownTimer = timer;
            if (knownTimer != null) {
                knownTimer.cancel(false);
            }
        }
    }
}
