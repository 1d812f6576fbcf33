package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Publication;
import io.penstock.orb.SubscribeRequest;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallFilterTest {
    private final BridgeConfig config = BridgeConfig.defaults();
    private final BridgeCounters counters = new BridgeCounters();
    private final CallFilter filter = new CallFilter(config, counters, listener -> {}, this::position);
    private long callStart = 50;
    private long position;

    @Test
    void shouldAllowThePartsOfTheContractWhenWithinBounds() {
        assertThat(check(Credentials.class, -1, 1, 1, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(String.class, -1, 2, 2, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(byte[].class, config.messageLengthMax(), 2, 3, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(Publication[].class, config.batchCountMax(), 1, 1, 100))
                .isEqualTo(Status.ALLOWED);
        assertThat(check(null, -1, 2, 5, 100)).isEqualTo(Status.ALLOWED);
        assertThat(counters.get(BridgeCounter.ARGUMENTS_REFUSED)).isZero();
    }

    @Test
    void shouldRejectAndCountWhenABoundIsPassed() {
        assertThat(check(String.class, -1, 7, 2, 100)).isEqualTo(Status.REJECTED);
        assertThat(check(String.class, -1, 2, 1_000_000, 100)).isEqualTo(Status.REJECTED);
        assertThat(check(String.class, -1, 2, 2, 1L << 31)).isEqualTo(Status.REJECTED);
        assertThat(check(null, -1, 2, 2, 1L << 31)).isEqualTo(Status.REJECTED);
        assertThat(check(byte[].class, config.messageLengthMax() + 1, 1, 1, 100))
                .isEqualTo(Status.REJECTED);
        assertThat(check(byte[].class, config.messageLengthMax(), 2, 9, config.batchLengthMax()))
                .isEqualTo(Status.REJECTED);
        assertThat(check(Publication[].class, config.batchCountMax() + 1, 1, 1, 100))
                .isEqualTo(Status.REJECTED);
        assertThat(check(Object[].class, 1, 1, 1, 100)).isEqualTo(Status.REJECTED);
        assertThat(counters.get(BridgeCounter.ARGUMENTS_REFUSED)).isEqualTo(8);
    }

    /** One elsewhere would be called by the runtime before anybody looks at its address. */
    @Test
    void shouldAllowOneStubWhenWithinACallbackOnly() {
        assertThat(check(RemoteObjectInvocationHandler.class, -1, 1, 1, 100)).isEqualTo(Status.REJECTED);
        assertThat(check(SubscribeRequest.class, -1, 1, 1, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(RemoteObjectInvocationHandler.class, -1, 2, 2, 100)).isEqualTo(Status.REJECTED);
        assertThat(check(Callback.class, -1, 1, 3, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(RemoteObjectInvocationHandler.class, -1, 2, 4, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(RemoteObject.class, -1, 2, 5, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(RemoteObjectInvocationHandler.class, -1, 2, 6, 100)).isEqualTo(Status.REJECTED);
        assertThat(check(Callback.class, -1, 1, 7, 100)).isEqualTo(Status.REJECTED);

        callStart += 1000;
        assertThat(check(RemoteObjectInvocationHandler.class, -1, 2, 4, 100)).isEqualTo(Status.REJECTED);
        assertThat(check(Callback.class, -1, 1, 1, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(RemoteObjectInvocationHandler.class, -1, 2, 2, 100)).isEqualTo(Status.ALLOWED);
    }

    private long position() {
        return position;
    }

    private Status check(
            final @Nullable Class<?> type,
            final long arrayLength,
            final long depth,
            final long references,
            final long streamBytes) {
        position = callStart + streamBytes;
        return filter.checkInput(new Info(type, arrayLength, depth, references, streamBytes));
    }

    private record Info(@Nullable Class<?> serialClass, long arrayLength, long depth, long references, long streamBytes)
            implements ObjectInputFilter.FilterInfo {}
}
