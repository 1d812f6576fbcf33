package io.penstock.transport.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens when a receiver does not keep up, or fails. */
abstract class PressureCases extends FrameCases {
    /** More than a medium and both transports may ever hold for one connection. */
    private static final long HELD_LENGTH_MAX = 64L * 1024 * 1024;

    private static final long DIRECT_MEMORY_GROWTH_MAX = 4L * 1024 * 1024;

    @ParameterizedTest
    @ValueSource(ints = {100, 65_536, 1_000_000})
    public void shouldPushBackAndLoseNothingWhenReceiverRefuses(final int length) throws IOException {
        final Link link = connect();
        final Flow flow = link.toServer();
        flow.refuse(true);
        final long memoryBefore = Resources.directMemoryLength();
        sendUntilRefused(flow, length);

        assertThat(flow.receivedCount()).isZero();
        assertThat(flow.acceptedLength()).isPositive().isLessThan(HELD_LENGTH_MAX);
        assertThat(Resources.directMemoryLength() - memoryBefore).isLessThan(DIRECT_MEMORY_GROWTH_MAX);

        flow.refuse(false);
        transfer(flow);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 65_536, 1_000_000})
    public void shouldSayThatItIsBlockedOnlyWhenOffersAreRefused(final int length) throws IOException {
        final Link link = connect();
        final Flow flow = link.toServer();
        assertThat(flow.isBlocked()).isFalse();
        flow.refuse(true);
        sendUntilRefused(flow, length);
        assertThat(flow.isBlocked()).isEqualTo(tellsBlocked());

        flow.refuse(false);
        // Nothing is offered here: it has to notice by itself that there is room.
        pollUntil("room", () -> !flow.isBlocked());
        transfer(flow);
        assertThat(flow.isBlocked()).isFalse();
    }

    /** Whether the medium knows without an offer that it takes nothing. */
    protected boolean tellsBlocked() {
        return true;
    }

    /** Offers until offers are refused and polling does not help. */
    private void sendUntilRefused(final Flow flow, final int length) {
        boolean isStuck = false;
        while (!isStuck && flow.acceptedLength() < HELD_LENGTH_MAX) {
            if (flow.isSent()) {
                flow.frame(length);
            }
            if (flow.send() == Connection.BACK_PRESSURED) {
                pollUntilQuiet();
                isStuck = flow.send() == Connection.BACK_PRESSURED;
            } else {
                pollAll();
            }
        }
    }

    @Test
    public void shouldLoseNothingWhenReceiverRefusesNowAndThen() throws IOException {
        final Link link = connect();
        final Flow flow = link.toServer();
        for (int i = 0; i < 300; i++) {
            flow.frames(10, i).frame(50 * i).frame(500 * i);
        }
        final int[] callCount = {0};
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            flow.refuse(++callCount[0] % 3 == 0);
            return flow.onFragment(buffer, offset, length, frameOffset, frameLength);
        };

        transfer(flow);
    }

    @Test
    public void shouldServeOthersWhenOnePeerIsNotTaken() throws IOException {
        final Link slow = connect();
        final Link fast = connect();
        slow.toServer().refuse(true);
        sendUntilRefused(slow.toServer(), 10_000);

        transfer(fast.toServer().frames(1000, 1000), fast.toClient().frames(1000, 1000));

        assertThat(slow.toServer().receivedCount()).isZero();
        slow.toServer().refuse(false);
        transfer(slow.toServer());
    }

    @Test
    public void shouldServeOthersWhenOnePeerDoesNotRead() throws IOException {
        final Side idle = open();
        final Link slow = connect(idle, server(), bound());
        final Link fast = connect();
        slow.toClient().refuse(true);
        sendUntilRefused(slow.toClient(), 10_000);

        transfer(fast.toClient().frames(1000, 1000));

        slow.toClient().refuse(false);
        transfer(slow.toClient());
        pollUntil("flushed", slow.server()::isFlushed);
    }

    @Test
    public void shouldServeAllWhenTheFrameLimitIsSmall() throws IOException {
        final Link first = connect();
        final Link second = connect();
        first.toServer().frames(2000, 100);
        second.toServer().frames(2000, 100);

        final long startNs = System.nanoTime();
        while (second.toServer().receivedCount() < 100 && System.nanoTime() - startNs < DEADLINE_NS) {
            if (first.toServer().isSent()) {
                first.toServer().frames(100, 100);
            }
            first.toServer().send();
            second.toServer().send();
            client().poll();
            server().transport().poll(1);
        }
        assertThat(second.toServer().receivedCount()).isGreaterThanOrEqualTo(100);
    }

    @Test
    public void shouldStillWaitWhenWhatIsThereWasRefused() throws IOException {
        final Link link = connect();
        link.toServer().refuse(true);
        link.toServer().frames(3, 100).send();
        pollUntilQuiet();

        final long startNs = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            server().transport().await(TimeUnit.MILLISECONDS.toNanos(20));
            server().poll();
        }
        // A wait may end early for no reason, but not each time.
        assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(50));
    }

    @Test
    public void shouldGoOnWithTheNextFrameWhenHandlerThrows() throws IOException {
        final Link link = connect();
        final List<Integer> lengths = new ArrayList<>();
        server().rule = (connection, buffer, offset, length, frameOffset, frameLength) -> {
            if (length == 2) {
                throw new IllegalStateException("from the handler");
            }
            return lengths.add(length);
        };
        link.toServer().frame(1).frame(2).frame(3).send();

        assertThatThrownBy(() -> pollUntil("never", () -> false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("from the handler");

        pollUntil("the next frame", () -> lengths.size() == 2);
        assertThat(lengths).containsExactly(1, 3);
    }
}
