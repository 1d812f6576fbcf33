package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.bridge.Harness;
import io.penstock.bridge.config.BridgeConfig;
import io.penstock.bridge.giop.CdrReader;
import io.penstock.bridge.giop.Ior;
import io.penstock.bridge.service.BridgeCounter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large arrays: whole, in turn with small ones, and without copies that are not needed. */
@Timeout(120)
class IiopTransferTest {
    private static final String GUEST = "PenstockBroker";
    private static final int ROUNDS = 20;
    private static final int[] LENGTHS = {
        0, 1, 1024, 64 * 1024 - 1, 64 * 1024, 64 * 1024 + 1, 1024 * 1024, 4 * 1024 * 1024, 16 * 1024 * 1024
    };

    private static byte[] random(final int length) {
        final byte[] data = new byte[length];
        new Random(length).nextBytes(data);
        return data;
    }

    private static CompletableFuture<byte[]> echo(final GiopPeer peer, final byte[] data) throws Exception {
        return peer.send(GUEST, "echo", out -> out.octets(data), CdrReader::octets);
    }

    @ParameterizedTest
    @CsvSource({"1024, 1024", "4096, 65536", "65536, 4096", "65536, 1048576"})
    void shouldKeepEveryByteWhateverTheFragments(final int clientsLength, final int bridgesLength) throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.fragmentLength = bridgesLength;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer =
                        new GiopPeer(Ior.parse(harness.bridge().ior()), 2, clientsLength > 4096, clientsLength)) {
            for (final int length : LENGTHS) {
                final byte[] data = random(length);
                assertThat(GiopPeer.await(echo(peer, data)))
                        .as("%d bytes", length)
                        .isEqualTo(data);
            }
        }
    }

    /**
     * The long answer is begun first and ends last, on one connection. The short request is read while the long answer
     * is under way in all but few rounds: who is fast enough may have sent it all by then.
     */
    @Test
    void shouldNotHaveAShortCallWaitForALongOne() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer peer = GiopPeer.to(Ior.parse(harness.bridge().ior()))) {
            final byte[] data = random(10 * 1024 * 1024);
            List<String> order = List.of();
            for (int round = 0; round < ROUNDS && !order.equals(List.of("small", "large")); round++) {
                order = orderOfAnswers(peer, data);
            }
            assertThat(order).containsExactly("small", "large");
        }
    }

    private static List<String> orderOfAnswers(final GiopPeer peer, final byte[] data) throws Exception {
        final List<String> order = new ArrayList<>();
        final CountDownLatch isAsked = new CountDownLatch(1);
        peer.holdUntil(isAsked);
        final CompletableFuture<byte[]> large = echo(peer, data);
        final CompletableFuture<Void> largeNoted = large.thenAccept(answer -> note(order, "large"));
        // Its fragments are all sent, so the short request is read after them, and answered between theirs.
        final CompletableFuture<Void> smallNoted =
                echo(peer, new byte[1024]).thenAccept(answer -> note(order, "small"));
        isAsked.countDown();
        smallNoted.get(20, TimeUnit.SECONDS);
        largeNoted.get(20, TimeUnit.SECONDS);
        assertThat(large.get()).isEqualTo(data);
        return order;
    }

    private static void note(final List<String> order, final String what) {
        synchronized (order) {
            order.add(what);
        }
    }

    @Test
    void shouldAnswerEachWithItsOwnWhenManyShareAConnection() throws Exception {
        final IiopSetup setup = new IiopSetup();
        setup.fragmentLength = 1024;
        try (Harness harness = Harness.of(setup.config());
                GiopPeer peer = new GiopPeer(Ior.parse(harness.bridge().ior()), 2, false, 1024)) {
            final List<Thread> threads = new ArrayList<>();
            final List<Throwable> failures = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                final int seed = i;
                final Thread thread = new Thread(() -> callMany(peer, seed, failures), "caller-" + i);
                threads.add(thread);
                thread.start();
            }
            for (final Thread each : threads) {
                each.join();
            }
            assertThat(failures).isEmpty();
        }
    }

    private static void callMany(final GiopPeer peer, final int seed, final List<Throwable> failures) {
        final Random random = new Random(seed);
        try {
            for (int i = 0; i < 30; i++) {
                final byte[] data = new byte[random.nextInt(1 << random.nextInt(19))];
                random.nextBytes(data);
                assertThat(GiopPeer.await(echo(peer, data))).isEqualTo(data);
            }
        } catch (final Exception | AssertionError e) {
            synchronized (failures) {
                failures.add(e);
            }
        }
    }

    /** A byte of a large array is copied once on its way in; what comes in small pieces is copied twice. */
    @Test
    void shouldCopyLargeArraysOnce() throws Exception {
        try (Harness harness = Harness.of(BridgeConfig.onIiopPort(0));
                GiopPeer whole = new GiopPeer(Ior.parse(harness.bridge().ior()), 2, false, 1 << 20);
                GiopPeer pieces = new GiopPeer(Ior.parse(harness.bridge().ior()), 2, false, 1024)) {
            final int length = 8 * 1024 * 1024;
            final byte[] data = new byte[length];
            // The first one has the system find out how much it can give at once.
            GiopPeer.await(echo(whole, data));
            final long before = harness.counter(BridgeCounter.BYTES_STAGED);
            GiopPeer.await(echo(whole, data));
            final long staged = harness.counter(BridgeCounter.BYTES_STAGED) - before;
            GiopPeer.await(echo(pieces, data));
            final long stagedOfPieces = harness.counter(BridgeCounter.BYTES_STAGED) - before - staged;

            assertThat(staged).as("copied twice of large pieces").isLessThan(length / 4);
            assertThat(stagedOfPieces).as("copied twice of small pieces").isGreaterThanOrEqualTo(length);
        }
    }
}
