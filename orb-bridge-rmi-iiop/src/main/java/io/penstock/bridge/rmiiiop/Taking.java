package io.penstock.bridge.rmiiiop;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.HeaderValues;
import io.penstock.bridge.service.Wait;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.orb.PageWithHeaders;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Clients take messages and records, and wait when there are none. A message has room before it is taken; a call that
 * waits gives its place to calls that do not. Safe on any thread.
 */
final class Taking {
    /** Memory of a message beside its payload, in bytes. */
    private static final int MESSAGE_OVERHEAD = 128;

    private final CallRoom room;
    private final BridgeConfig bounds;
    private final long answerLengthMax;

    Taking(final CallRoom room, final BridgeConfig bounds) {
        this.room = room;
        this.bounds = bounds;
        answerLengthMax = answerLengthMax(bounds);
    }

    /** Longest answer in bytes. */
    static long answerLengthMax(final BridgeConfig bounds) {
        return bounds.batchLengthMax() + (long) MESSAGE_OVERHEAD * bounds.batchCountMax();
    }

    DeliveryWithHeaders[] next(final BridgeSession session, final long subscription, final int max, final int timeoutMs)
            throws BrokerException {
        return take("next", timeoutMs, new Source<DeliveryWithHeaders[]>() {
            @Override
            public DeliveryWithHeaders[] take() throws BrokerException {
                return session.next(subscription, max, 0);
            }

            @Override
            public boolean isSomething(final DeliveryWithHeaders[] taken) {
                return taken.length > 0;
            }

            @Override
            public long length(final DeliveryWithHeaders[] taken) {
                return lengthOf(taken);
            }

            @Override
            public Wait await(final Runnable ready) throws BrokerException {
                return session.awaitMessages(subscription, ready);
            }
        });
    }

    PageWithHeaders fetch(final BridgeSession session, final long query, final int max, final int timeoutMs)
            throws BrokerException {
        return take("fetch", timeoutMs, new Source<PageWithHeaders>() {
            @Override
            public PageWithHeaders take() throws BrokerException {
                return session.queries().fetch(query, max, 0);
            }

            @Override
            public boolean isSomething(final PageWithHeaders taken) {
                return taken.records().length > 0 || taken.isComplete();
            }

            @Override
            public long length(final PageWithHeaders taken) {
                return lengthOf(taken.records());
            }

            @Override
            public Wait await(final Runnable ready) throws BrokerException {
                return session.queries().await(query, ready);
            }
        });
    }

    private static long lengthOf(final DeliveryWithHeaders[] deliveries) {
        long length = 0;
        for (final DeliveryWithHeaders each : deliveries) {
            length += MESSAGE_OVERHEAD + each.message().data().length + HeaderValues.length(each.headers());
        }
        return length;
    }

    private <T> T take(final String what, final int timeoutMs, final Source<T> source) throws BrokerException {
        final long deadlineNs =
                System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Math.min(timeoutMs, bounds.waitMsMax()));
        while (true) {
            final T taken = takeNow(what, source);
            final long leftNs = deadlineNs - System.nanoTime();
            if (source.isSomething(taken) || leftNs <= 0) {
                return taken;
            }
            if (!room.beginWait()) {
                throw Refusal.of(
                        ErrorCode.LIMIT_REACHED,
                        what + ": too many calls wait (try again later, or configure a larger waitCountMax)");
            }
            await(source, leftNs);
        }
    }

    private <T> T takeNow(final String what, final Source<T> source) throws BrokerException {
        long length = 0;
        try {
            if (!room.beginAnswer(answerLengthMax, bounds.callTimeoutMs())) {
                throw Refusal.of(
                        ErrorCode.LIMIT_REACHED,
                        what + ": no room for an answer (try again later, or configure a longer callsLengthMax)");
            }
            final T taken = source.take();
            length = source.length(taken);
            return taken;
        } catch (final IOException e) {
            throw Refusal.of(ErrorCode.SHUTTING_DOWN, what + ": the bridge is closing (connect again later)");
        } finally {
            room.endAnswer(length);
        }
    }

    private <T> void await(final Source<T> source, final long timeoutNs) throws BrokerException {
        final CountDownLatch ready = new CountDownLatch(1);
        final Wait wait = source.await(ready::countDown);
        room.addWait(ready);
        try {
            final boolean unused = ready.await(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusal.of(ErrorCode.SHUTTING_DOWN, "bridge: is closing (connect again later)");
        } finally {
            room.removeWait(ready);
            wait.end();
        }
    }

    /** Where it is taken from. */
    private interface Source<T> {
        /** Takes what there is. */
        T take() throws BrokerException;

        /** Whether there is no need to wait. */
        boolean isSomething(T taken);

        /** Length of the taken messages or records, in bytes. */
        long length(T taken);

        Wait await(Runnable ready) throws BrokerException;
    }
}
