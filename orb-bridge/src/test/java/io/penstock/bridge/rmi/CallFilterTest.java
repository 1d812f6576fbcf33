package io.penstock.bridge.rmi;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import io.penstock.orb.Callback;
import io.penstock.orb.Credentials;
import io.penstock.orb.Header;
import io.penstock.orb.MessageListener;
import io.penstock.orb.Publication;
import io.penstock.orb.PublicationWithHeaders;
import io.penstock.orb.SubscribeRequest;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteObjectInvocationHandler;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallFilterTest {
    private final BridgeConfig config = BridgeConfig.defaults();
    private final BridgeCounters counters = new BridgeCounters();
    private final CallFilter filter = new CallFilter(config, counters);

    @Test
    void shouldAllowThePartsOfTheContractWhenWithinBounds() {
        assertThat(check(Credentials.class, -1, 1, 1, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(String.class, -1, 2, 2, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(byte[].class, config.messageLengthMax(), 2, 3, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(Publication[].class, config.batchCountMax(), 1, 1, 100))
                .isEqualTo(Status.ALLOWED);
        assertThat(check(null, -1, 2, 5, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(Header[].class, 64, 1, 2, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(Header.class, -1, 2, 3, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(PublicationWithHeaders[].class, config.batchCountMax(), 1, 1, 100))
                .isEqualTo(Status.ALLOWED);
        assertThat(check(PublicationWithHeaders.class, -1, 2, 2, 100)).isEqualTo(Status.ALLOWED);
        assertThat(check(Header.class, -1, 4, (6 + 4 * 64) * (long) config.batchCountMax(), 100))
                .isEqualTo(Status.ALLOWED);
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
        assertThat(check(PublicationWithHeaders[].class, config.batchCountMax() + 1, 1, 1, 100))
                .isEqualTo(Status.REJECTED);
        assertThat(check(Object[].class, 1, 1, 1, 100)).isEqualTo(Status.REJECTED);
        assertThat(check(Header[].class, 65, 1, 2, 100)).isEqualTo(Status.REJECTED);
        assertThat(counters.get(BridgeCounter.ARGUMENTS_REFUSED)).isEqualTo(10);
    }

    /** The runtime would call there before anybody looks at the address. */
    @Test
    void shouldRejectAStubWhereverItIs() {
        final Object[] stubs = {
            RemoteObjectInvocationHandler.class,
            RemoteObject.class,
            Remote.class,
            MessageListener.class,
            Proxy.class,
            ForgedRef.stub("127.0.0.1", 1).getClass()
        };
        assertThat(check(Callback.class, -1, 1, 1, 100)).isEqualTo(Status.ALLOWED);
        for (final Object each : stubs) {
            assertThat(check((Class<?>) each, -1, 1, 2, 150)).isEqualTo(Status.REJECTED);
            assertThat(check((Class<?>) each, -1, 2, 3, 200)).isEqualTo(Status.REJECTED);
        }
        assertThat(check(Callback.class, -1, 2, 4, 250)).isEqualTo(Status.REJECTED);
    }

    /** A thread of the runtime's pool serves one connection after the other. */
    @Test
    void shouldDecideAlikeWhenAThreadServesTwoConnections() {
        for (int connection = 0; connection < 2; connection++) {
            assertThat(check(SubscribeRequest.class, -1, 1, 1, 100)).isEqualTo(Status.ALLOWED);
            assertThat(check(Callback.class, -1, 1, 4, 300)).isEqualTo(Status.ALLOWED);
            assertThat(check(byte[].class, 90, 2, 5, 400)).isEqualTo(Status.ALLOWED);
        }
    }

    private Status check(
            final @Nullable Class<?> type,
            final long arrayLength,
            final long depth,
            final long references,
            final long streamBytes) {
        return filter.checkInput(new Info(type, arrayLength, depth, references, streamBytes));
    }

    private record Info(@Nullable Class<?> serialClass, long arrayLength, long depth, long references, long streamBytes)
            implements ObjectInputFilter.FilterInfo {}
}
