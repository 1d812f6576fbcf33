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
    private static final int LENGTH_MAX = 3 * Pair.WINDOW;

    @Test
    void shouldEchoWhatEachCallerHasSentWhenManyShareAConnection() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            try (Pair pair = new Pair()) {
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
                    final FutureTask<Boolean> caller = new FutureTask<>(() -> call(pair.caller, random));
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
    private static boolean call(final ChunkConnection connection, final Random random) throws Exception {
        for (int i = 0; i < CALLS; i++) {
            final byte[] payload =
                    new byte[4 + (random.nextInt(4) == 0 ? random.nextInt(LENGTH_MAX) : random.nextInt(200))];
            random.nextBytes(payload);
            ChunkFrame.putInt(payload, 0, payload.length);
            final ChunkStream stream = connection.open();
            if (random.nextBoolean()) {
                Pair.send(stream, payload, 0);
            } else {
                final boolean unused = stream.sendGathered(payload, 0, payload.length, Pair.soonNs());
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
