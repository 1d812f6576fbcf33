package io.penstock.clientkit;

import io.penstock.client.BookmarkStore;
import io.penstock.client.PenstockException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs the actions of the protocol kit with the Java client, until its input ends. */
public final class Driver {
    private static final long RESET_S = 5;

    private final Observations observations;
    private ExecutorService waiting = Executors.newCachedThreadPool();
    private BookmarkStore bookmarks = BookmarkStore.inMemory();
    private volatile @Nullable DrivenClient client;

    private Driver(final PrintStream out) {
        observations = new Observations(out);
    }

    /**
     * Reads actions, a JSON object a line.
     *
     * @param args none.
     * @throws IOException when an action is no JSON object.
     */
    public static void main(final String[] args) throws IOException {
        final Driver driver =
                new Driver(new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8));
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                driver.take(new Action(Json.read(line)));
            }
        }
        System.exit(0);
    }

    private void take(final Action action) {
        switch (action.text("do")) {
            case "reset" -> reset();
            case "publish" -> attempt(action, () -> driven().publish(action));
            case "connect" -> {
                final BookmarkStore store = bookmarks;
                waiting.execute(() -> attempt(action, () -> {
                    client = new DrivenClient(action, observations, store);
                    observations.tell("client", "connected");
                }));
            }
            default -> {
                final DrivenClient present = driven();
                waiting.execute(() -> attempt(action, () -> present.run(action)));
            }
        }
    }

    private DrivenClient driven() {
        return Objects.requireNonNull(client, "there is no client");
    }

    private void attempt(final Action action, final Attempt attempt) {
        try {
            attempt.run();
        } catch (final PenstockException | IllegalArgumentException | IllegalStateException e) {
            observations.failed(action.id(), "failed", e);
        } catch (final Exception e) {
            observations.failed("driver", "failed", e);
        }
    }

    private void reset() {
        final DrivenClient present = client;
        client = null;
        if (present != null) {
            present.abandon();
        }
        waiting.shutdownNow();
        try {
            // What they still tell belongs to the script that is over.
            waiting.awaitTermination(RESET_S, TimeUnit.SECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        waiting = Executors.newCachedThreadPool();
        bookmarks = BookmarkStore.inMemory();
        observations.tell("driver", "reset");
    }

    /** What may fail. */
    private interface Attempt {
        void run() throws Exception;
    }
}
