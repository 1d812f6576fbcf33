package io.penstock.bridge.rmiiiop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.bridge.service.BridgeCounter;
import io.penstock.bridge.service.BridgeCounters;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens at the bounds of all calls. */
@Timeout(60)
class CallRoomTest {
    private static final int CALL_LENGTH_MAX = 60_000;
    private static final long CALLS_LENGTH_MAX = 200_000;
    private static final RmiIiopConfig CONFIG =
            RmiIiopConfig.onPort(0).limits(8, CALL_LENGTH_MAX, 100).calls(4, 2, CALLS_LENGTH_MAX);

    private final BridgeCounters counters = new BridgeCounters();
    private final CallRoom room = new CallRoom(CONFIG, counters);
    private final List<Thread> threads = new ArrayList<>();
    private final ExecutorService others = Executors.newCachedThreadPool(work -> {
        final Thread thread = new Thread(work);
        threads.add(thread);
        return thread;
    });

    @AfterEach
    void stop() {
        others.shutdownNow();
    }

    @Test
    void shouldWaitWhenThereAreAsManyCallsAsMayBe() throws Exception {
        final ConnectionShare first = newShare();
        final ConnectionShare second = newShare();
        final Call[] calls = {new Call(first), new Call(first), new Call(second), new Call(second)};

        final Future<?> next = others.submit(() -> enter(newShare(), 1));
        awaitOneWaits();
        assertThat(next.isDone()).isFalse();
        calls[0].end();

        next.get();
        assertThat(room.callCount()).isEqualTo(3);
    }

    @Test
    void shouldGiveHalfOfThePlacesWhenThereIsOneConnection() throws Exception {
        final ConnectionShare greedy = newShare();
        final Call first = new Call(greedy);
        final Call second = new Call(greedy);
        final Future<?> third = others.submit(() -> enter(greedy, 1));
        awaitOneWaits();

        // Others are served meanwhile.
        final Call other = new Call(newShare());
        other.end();
        assertThat(third.isDone()).isFalse();

        first.end();
        third.get();
        second.end();
    }

    @Test
    void shouldMakeRoomWhenACallWaitsForMessages() throws Exception {
        final ConnectionShare share = newShare();
        final Call first = new Call(share);
        final Call second = new Call(share);
        assertThat(first.beginWait()).isTrue();
        assertThat(first.beginWait()).isTrue();
        assertThat(room.callCount()).isOne();
        assertThat(room.waitCount()).isOne();

        final Call third = new Call(share);
        assertThat(third.beginWait()).as("beyond the connection's half").isFalse();
        assertThat(counters.get(BridgeCounter.LIMITS_REACHED)).isOne();

        final Call other = new Call(newShare());
        assertThat(other.beginWait()).isTrue();
        final Call last = new Call(newShare());
        assertThat(last.beginWait()).as("beyond all").isFalse();
        for (final Call each : new Call[] {first, second, third, other, last}) {
            each.end();
        }
        assertThat(room.waitCount()).isZero();
        assertThat(room.callCount()).isZero();
    }

    @Test
    void shouldWaitWhenThereAreTooManyBytes() throws Exception {
        final Call first = new Call(newShare(), 60_000);
        final Future<?> second = others.submit(() -> enter(newShare(), 60_000));
        awaitOneWaits();
        assertThat(second.isDone()).isFalse();
        assertThat(room.length()).isEqualTo(60_000);

        first.end();

        second.get();
    }

    @Test
    void shouldGiveHalfOfTheBytesWhenAConnectionHasSome() throws Exception {
        final ConnectionShare greedy = newShare();
        final Call first = new Call(greedy, 30_000);
        final Future<?> second = others.submit(() -> enter(greedy, 20_001));
        awaitOneWaits();

        // Others are served meanwhile.
        new Call(newShare(), 60_000).end();
        assertThat(second.isDone()).isFalse();

        first.end();
        second.get();
        final Call third = new Call(greedy, 30_000);
        final Call fourth = new Call(greedy, 1);
        assertThat(fourth.beginAnswer(20_001)).isFalse();
        assertThat(fourth.beginAnswer(20_000)).isTrue();
        third.end();
        fourth.end();
        assertThat(greedy.callsLength).isZero();
    }

    @Test
    void shouldTakeNothingWhenTheConnectionIsClosed() throws Exception {
        final ConnectionShare share = newShare();
        final Call call = new Call(share);
        final CountDownLatch waited = new CountDownLatch(1);
        call.addWait(waited);

        room.close(share);

        assertThat(waited.getCount()).isZero();
        assertThat(call.beginAnswer(1)).isFalse();
        assertThat(counters.get(BridgeCounter.LIMITS_REACHED)).isZero();
        call.end();
        assertThat(room.length()).isZero();
    }

    @Test
    void shouldRefuseAnAnswerWhenThereIsNoRoomInTime() throws Exception {
        final Call first = new Call(newShare(), 60_000);
        final Call second = new Call(newShare(), 30_000);

        // Its own arguments make room.
        assertThat(second.beginAnswer(40_000)).isTrue();
        assertThat(second.beginAnswer(40_001)).isFalse();
        second.endAnswer(5);
        assertThat(room.length()).isEqualTo(60_005);

        first.end();
        second.end();
        assertThat(room.length()).isZero();
    }

    @Test
    void shouldEndWhoWaitsWhenPartsMakeNoRoomForEachOther() throws Exception {
        final ConnectionShare first = newShare();
        room.addPart(first, 60_000);

        assertThatThrownBy(() -> room.addPart(newShare(), 40_001))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has come in part");

        // Calls have their own half.
        new Call(newShare(), 60_000).end();
        room.close(first);
        room.removePart(first, 60_000);
        assertThat(room.length()).isZero();
    }

    @Test
    void shouldWaitNoLongerWhenTheConnectionIsClosed() throws Exception {
        final Call first = new Call(newShare(), 60_000);
        final ConnectionShare share = newShare();
        final Future<?> second = others.submit(() -> enter(share, 60_000));
        awaitOneWaits();

        room.close(share);

        assertThatThrownBy(second::get).isInstanceOf(ExecutionException.class).hasMessageContaining("was closed");
        first.end();
        assertThat(room.length()).isZero();
        assertThat(room.callCount()).isZero();
    }

    private void awaitOneWaits() {
        assertThat(Harness.await(() ->
                        threads.stream().anyMatch(each -> each.getState() == Thread.State.WAITING && isInRoom(each))))
                .isTrue();
    }

    private static boolean isInRoom(final Thread thread) {
        for (final StackTraceElement each : thread.getStackTrace()) {
            if (each.getClassName().equals(CallRoom.class.getName())) {
                return true;
            }
        }
        return false;
    }

    private static ConnectionShare newShare() {
        return new ConnectionShare(InetAddress.getLoopbackAddress(), () -> {});
    }

    private Void enter(final ConnectionShare share, final long length) {
        try {
            room.enter(share, length, false);
            CallRoom.leave();
            return null;
        } catch (final IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A call on a thread of its own. */
    private final class Call {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();

        Call(final ConnectionShare share) throws Exception {
            this(share, 1);
        }

        Call(final ConnectionShare share, final long length) throws Exception {
            thread.submit(() -> {
                        room.enter(share, length, false);
                        return true;
                    })
                    .get();
        }

        boolean beginWait() throws Exception {
            return thread.submit(room::beginWait).get();
        }

        void addWait(final CountDownLatch ready) throws Exception {
            thread.submit(() -> room.addWait(ready)).get();
        }

        boolean beginAnswer(final long length) throws Exception {
            return thread.submit(() -> room.beginAnswer(length, 1)).get();
        }

        void endAnswer(final long length) throws Exception {
            thread.submit(() -> room.endAnswer(length)).get();
        }

        void end() throws Exception {
            CompletableFuture.runAsync(CallRoom::leave, thread).get();
            thread.shutdown();
        }
    }
}
