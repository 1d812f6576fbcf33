package io.penstock.standalone.demo;

import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockException;
import io.penstock.client.Subscription;
import io.penstock.standalone.demo.Scenario.Watch;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Counts the matches of one subscription and keeps the newest. Written on the client's thread, read by any. */
final class MatchCounter implements MessageHandler {
    private final Watch watch;
    private final AtomicLong matches = new AtomicLong();
    private final AtomicReference<String> newest = new AtomicReference<>("");
    private final AtomicReference<@Nullable String> end = new AtomicReference<>();

    MatchCounter(final Watch watch) {
        this.watch = watch;
    }

    @Override
    public void onMessage(final MessageView message) {
        newest.set(message.text());
        matches.incrementAndGet();
    }

    @Override
    public void onEnd(final Subscription subscription, final PenstockException reason) {
        end.set(reason.getMessage());
    }

    Watch watch() {
        return watch;
    }

    long matches() {
        return matches.get();
    }

    String newest() {
        return Objects.requireNonNullElse(newest.get(), "");
    }

    /** Why the subscription has ended, or null while it has not. */
    @Nullable
    String end() {
        return end.get();
    }
}
