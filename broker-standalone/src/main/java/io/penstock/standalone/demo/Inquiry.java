package io.penstock.standalone.demo;

import io.penstock.client.MessageHandler;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.SowStats;
import io.penstock.standalone.console.Table;
import io.penstock.standalone.demo.Scenario.Question;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A question about state that is asked again and again. Asked by the main thread, answered on the client's thread, the
 * newest answer read by any.
 */
final class Inquiry {
    private final Question question;
    private final AtomicReference<List<String>> newest = new AtomicReference<>(List.of());
    private final AtomicLong answers = new AtomicLong();
    private final AtomicReference<@Nullable String> mistake = new AtomicReference<>();
    private CompletableFuture<?> running = CompletableFuture.completedFuture(null);

    Inquiry(final Question question) {
        this.question = question;
    }

    /** Asks without waiting, unless the last answer is still to come. */
    void ask(final PenstockClient client) {
        if (running.isDone()) {
            final Answer answer = new Answer();
            running = client.sowAsync(question.request(), answer)
                    .handle((stats, failure) -> onAnswer(answer.table, stats, failure));
        }
    }

    /** Waits for the answer that is to come; one that fails is a mistake. */
    void await() {
        running.join();
    }

    private boolean onAnswer(final Table table, final @Nullable SowStats stats, final @Nullable Throwable failure) {
        if (failure != null) {
            mistake.compareAndSet(null, question.title() + ": " + failure.getMessage());
        } else if (stats != null && stats.returned() != table.rowCount()) {
            mistake.compareAndSet(
                    null, question.title() + ": " + table.rowCount() + " rows came, not " + stats.returned());
        }
        newest.set(table.lines());
        answers.incrementAndGet();
        return true;
    }

    Question question() {
        return question;
    }

    /** The newest answer as a table; empty while there is none. */
    List<String> newest() {
        return Objects.requireNonNullElse(newest.get(), List.of());
    }

    long answers() {
        return answers.get();
    }

    /** Returns what was wrong with an answer, or null. */
    @Nullable
    String mistake() {
        return mistake.get();
    }

    /** The rows as they come. */
    private static final class Answer implements MessageHandler {
        private final Table table = new Table();

        @Override
        public void onMessage(final MessageView message) {
            table.add(message.text());
        }
    }
}
