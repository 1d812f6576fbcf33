package io.penstock.bridge.rmi;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.format.header.HeaderLayout;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Header;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.QueryRequest;
import io.penstock.orb.SubscribeRequest;
import java.io.ObjectInputFilter;
import java.util.Set;

/**
 * Lets in what calls of the contract are made of, and nothing else: a list of classes, within bounds of depth, count and
 * length. It is not asked before a string; {@link CallerInput} bounds those. No stub comes in at all, since the runtime
 * calls the address of each that it has read. Called by the threads of connections; it remembers nothing from one time to
 * the next.
 */
final class CallFilter implements ObjectInputFilter {
    private static final int DEPTH_MAX = 6;
    private static final int REFERENCES_FOR_HEADER = 4;
    private static final int REFERENCES_FOR_EACH = 8 + REFERENCES_FOR_HEADER * HeaderLayout.COUNT_MAX;
    private static final int REFERENCES_MORE = 64;
    private static final int LENGTH_FOR_EACH = 4096;
    private static final int LENGTH_MORE = 64 * 1024;

    private static final Set<Class<?>> VALUES = Set.of(
            String.class,
            Credentials.class,
            Publication.class,
            PublicationWithHeaders.class,
            Header.class,
            SubscribeRequest.class,
            QueryRequest.class);

    private final BridgeCounters counters;
    private final int arrayLengthMax;
    private final int batchCountMax;
    private final long referencesMax;
    private final long lengthMax;

    /**
     * Makes a filter.
     *
     * @param config   bounds.
     * @param counters counts what is refused.
     */
    CallFilter(final BridgeConfig config, final BridgeCounters counters) {
        this.counters = counters;
        arrayLengthMax = config.messageLengthMax();
        batchCountMax = config.batchCountMax();
        referencesMax = (long) REFERENCES_FOR_EACH * batchCountMax + REFERENCES_MORE;
        lengthMax = lengthMax(config);
    }

    /** The longest call, in bytes. */
    static long lengthMax(final BridgeConfig config) {
        return config.batchLengthMax() + (long) LENGTH_FOR_EACH * config.batchCountMax() + LENGTH_MORE;
    }

    @Override
    public Status checkInput(final FilterInfo info) {
        if (isAllowed(info)) {
            return Status.ALLOWED;
        }
        counters.add(BridgeCounter.ARGUMENTS_REFUSED, 1);
        return Status.REJECTED;
    }

    private boolean isAllowed(final FilterInfo info) {
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
        if (type == Publication[].class || type == PublicationWithHeaders[].class) {
            return info.arrayLength() <= batchCountMax;
        }
        if (type == Header[].class) {
            return info.arrayLength() <= HeaderLayout.COUNT_MAX;
        }
        if (type == Callback.class) {
            return info.depth() == 1;
        }
        return VALUES.contains(type);
    }
}
