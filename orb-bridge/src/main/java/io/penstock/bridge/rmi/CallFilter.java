package io.penstock.bridge.rmi;

import io.penstock.bridge.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.MessageListener;
import io.penstock.orb.Publication;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Lets in what calls of the contract are made of, and nothing else: a list of classes, within bounds of depth, count and
 * length. A client's stub comes only within a {@link Callback}, one in a call, so that its address is looked at. Called by
 * the threads of connections; what it notes of a call is the thread's own.
 */
final class CallFilter implements ObjectInputFilter {
    private static final int DEPTH_MAX = 6;
    private static final int REFERENCES_FOR_EACH = 8;
    private static final int REFERENCES_MORE = 64;
    private static final int LENGTH_FOR_EACH = 4096;
    private static final int LENGTH_MORE = 64 * 1024;

    private static final Set<Class<?>> VALUES = Set.of(
            String.class,
            Credentials.class,
            Publication.class,
            SubscribeRequest.class,
            QueryRequest.class,
            Callback.class);
    private static final Set<Class<?>> STUBS =
            Set.of(MessageListener.class, Remote.class, Proxy.class, RemoteObject.class);

    private final ThreadLocal<Call> calls = ThreadLocal.withInitial(Call::new);
    private final BridgeCounters counters;
    private final Callback.Check check;
    private final LongSupplier position;
    private final int arrayLengthMax;
    private final int batchCountMax;
    private final long referencesMax;
    private final long lengthMax;

    /**
     * Makes a filter.
     *
     * @param config   bounds.
     * @param counters counts what is refused.
     * @param check    of addresses.
     * @param position how many bytes were taken of the connection that the calling thread serves.
     */
    CallFilter(
            final BridgeConfig config,
            final BridgeCounters counters,
            final Callback.Check check,
            final LongSupplier position) {
        this.counters = counters;
        this.check = check;
        this.position = position;
        arrayLengthMax = config.messageLengthMax();
        batchCountMax = config.batchCountMax();
        referencesMax = (long) REFERENCES_FOR_EACH * batchCountMax + REFERENCES_MORE;
        lengthMax = config.batchLengthMax() + (long) LENGTH_FOR_EACH * batchCountMax + LENGTH_MORE;
    }

    @Override
    public Status checkInput(final FilterInfo info) {
        final Call call = calls.get();
        call.begin(position.getAsLong() - info.streamBytes());
        if (isAllowed(info, call)) {
            return Status.ALLOWED;
        }
        counters.add(BridgeCounter.ARGUMENTS_REFUSED, 1);
        return Status.REJECTED;
    }

    private boolean isAllowed(final FilterInfo info, final Call call) {
        final Class<?> type = info.serialClass();
        if (info.depth() > DEPTH_MAX
                || info.references() > referencesMax
                || info.streamBytes() + Math.max(0, info.arrayLength()) > lengthMax) {
            return false;
        }
        if (type == null) {
            return true;
        }
        if (type == byte[].class) {
            return info.arrayLength() <= arrayLengthMax;
        }
        if (type == Publication[].class) {
            return info.arrayLength() <= batchCountMax;
        }
        if (type == Callback.class) {
            Callback.check(check);
            return call.hasNoOther() && info.depth() == 1;
        }
        if (VALUES.contains(type)) {
            return true;
        }
        if (type == RemoteObjectInvocationHandler.class) {
            return call.hasOneStub();
        }
        return call.isWithCallback() && (STUBS.contains(type) || isListener(type));
    }

    private static boolean isListener(final Class<?> type) {
        return Proxy.isProxyClass(type) && MessageListener.class.isAssignableFrom(type);
    }

    /** What of the call has come so far. A call is known by where its arguments begin in the connection. */
    private static final class Call {
        private long start = -1;
        private int callbackCount;
        private int stubCount;

        void begin(final long newStart) {
            if (start != newStart) {
                start = newStart;
                callbackCount = 0;
                stubCount = 0;
            }
        }

        boolean hasNoOther() {
            return ++callbackCount == 1;
        }

        boolean isWithCallback() {
            return callbackCount == 1;
        }

        boolean hasOneStub() {
            return callbackCount == 1 && ++stubCount == 1;
        }
    }
}
