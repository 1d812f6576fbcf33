package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many callers beside a plain loop over arrays. {@code -Dpenstock.seeds=N} for a longer form. */
@Timeout(120)
class ChunkModelTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 8);
    private static final int CALLERS = 6;
    private static final int CALLS = 20;
    private static final ChunkHello LONG_HELLO = new ChunkHello(ChunkFrame.LENGTH_MAX, 512 * 1024, Pair.STREAMS, 0);

    @Test
    void shouldEchoWhatEachCallerHasSentWhenManyShareAConnection() throws Exception {
        echo(Pair.HELLO, SEEDS, 3 * Pair.WINDOW);
    }

    /** Frames and windows as they are: bytes go straight to where they are wanted, and credit is extended. */
    @Test
    void shouldEchoWhatEachCallerHasSentWhenMessagesAreLong() throws Exception {
        echo(LONG_HELLO, Math.max(1, SEEDS / 4), 4 * 1024 * 1024);
    }

    private static void echo(final ChunkHello hello, final int seeds, final int lengthMax) throws Exception {
        for (int seed = 0; seed < seeds; seed++) {
            try (Pair pair = new Pair(hello)) {
                final List<Thread> servers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    final Thread server = new Thread(() -> serve(pair));
                    server.setDaemon(true);
                    server.start();
                    servers.add(server);
                }
                final List<FutureTask<Boolean>> callers = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    final Random random = new Random(seed * 1_000L + i);
                    final FutureTask<Boolean> caller = new FutureTask<>(() -> call(pair.caller, random, lengthMax));
                    callers.add(caller);
                    new Thread(caller).start();
                }
                for (final FutureTask<Boolean> each : callers) {
                    assertThat(each.get()).as("seed %d", seed).isTrue();
                }
                assertThat(pair.caller.streamCount()).as("seed %d", seed).isZero();
                pair.caller.close();
                for (final Thread each : servers) {
                    each.join();
                }
                assertThat(pair.calls.heldLength).as("seed %d", seed).hasValue(0);
            }
        }
    }

    /** Length, and so many bytes; the same comes back. */
    private static boolean call(final ChunkConnection connection, final Random random, final int lengthMax)
            throws Exception {
        for (int i = 0; i < CALLS; i++) {
            final byte[] payload =
                    new byte[4 + (random.nextInt(4) == 0 ? random.nextInt(lengthMax) : random.nextInt(200))];
            random.nextBytes(payload);
            ChunkFrame.putInt(payload, 0, payload.length);
            final ChunkStream stream = connection.open();
            if (random.nextBoolean()) {
                Pair.send(stream, payload, ChunkFrame.FLUSH);
            } else {
                final int last = payload.length - 1;
                stream.sendGathered(payload, 0, last, Pair.soonNs());
                Pair.send(stream, new byte[] {payload[last]}, ChunkFrame.FLUSH);
            }
            if (!java.util.Arrays.equals(Pair.read(stream, payload.length), payload)) {
                return false;
            }
        }
        return true;
    }

    private static void serve(final Pair pair) {
        while (!pair.server.isEnded()) {
            try {
                final ChunkStream stream = pair.calls.streams.poll(1, TimeUnit.MILLISECONDS);
                if (stream != null) {
                    stream.hold();
                    echo(pair.server, stream);
                } else {
                    final boolean unused = pair.server.receive();
                }
            } catch (final java.net.SocketTimeoutException e) {
                // Nothing has come yet.
            } catch (final java.io.IOException | InterruptedException e) {
                return;
            }
        }
    }

    private static void echo(final ChunkConnection connection, final ChunkStream stream) throws java.io.IOException {
        final byte[] length = Pair.read(stream, 4);
        final byte[] payload = new byte[ChunkFrame.getInt(length, 0)];
        System.arraycopy(length, 0, payload, 0, 4);
        final byte[] rest = Pair.read(stream, payload.length - 4);
        System.arraycopy(rest, 0, payload, 4, rest.length);
        Pair.send(stream, payload, ChunkFrame.TURN);
        connection.finish(stream);
    }
}
