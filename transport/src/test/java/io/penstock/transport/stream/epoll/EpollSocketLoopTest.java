package io.penstock.transport.stream.epoll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf("io.penstock.transport.tcp.TcpTransportProvider#isEpollAvailable")
class EpollSocketLoopTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    @Test
    void shouldNotBlockWhenWokenJustBeforeItBlocks() {
        // Netty asks for the time after the wait has begun and before it can be ended by a wake-up.
        final WakingClock clock = new WakingClock();
        try (EpollSocketLoop loop = new EpollSocketLoop(clock)) {
            clock.loop = loop;

            final long startNs = System.nanoTime();
            loop.await(LONG_NS);

            assertThat(clock.wakeupCount).isEqualTo(1);
            assertThat(System.nanoTime() - startNs).isLessThan(LONG_NS / 2);
        }
    }

    private static final class WakingClock implements NanoClock {
        private @Nullable EpollSocketLoop loop;
        private int wakeupCount;

        @Override
        public long nanoTime() {
            if (loop != null) {
                wakeupCount++;
                loop.wakeup();
            }
            return SystemNanoClock.INSTANCE.nanoTime();
        }
    }
}
