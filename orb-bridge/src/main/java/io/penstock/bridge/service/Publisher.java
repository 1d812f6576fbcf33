package io.penstock.bridge.service;

import io.penstock.bridge.config.BridgeConfig;
import io.penstock.client.Ack;
import io.penstock.client.AckHandler;
import io.penstock.client.AckType;
import io.penstock.client.BackPressureException;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.orb.BrokerException;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Publishes by a native client, within the bounds of the bridge. Safe on any thread. */
final class Publisher {
    private final BridgeConfig config;
    private final BridgeCounters counters;

    Publisher(final BridgeConfig config, final BridgeCounters counters) {
        this.config = config;
        this.counters = counters;
    }

    void checkLength(final int length) throws BrokerException {
        if (length > config.messageLengthMax()) {
            counters.add(BridgeCounter.LIMITS_REACHED, 1);
            throw Refusals.of(
                    ErrorCode.MESSAGE_TOO_LONG,
                    "message: too long: " + length + " bytes (use at most " + config.messageLengthMax() + ")");
        }
    }

    void check(final Batch batch) throws BrokerException {
        final List<PublishCommand> commands = batch.commands();
        long length = 0;
        for (int i = 0; i < commands.size(); i++) {
            try {
                checkLength(commands.get(i).data().capacity());
            } catch (final BrokerException e) {
                throw batch.refusal(i, e, "");
            }
            length += commands.get(i).length();
        }
        if (commands.size() > config.batchCountMax() || (length > config.batchLengthMax() && commands.size() > 1)) {
            counters.add(BridgeCounter.LIMITS_REACHED, 1);
            throw Refusals.of(
                    ErrorCode.LIMIT_REACHED,
                    batch.operation() + ": too much: " + commands.size() + " messages of " + length
                            + " bytes (use at most " + config.batchCountMax() + ", of " + config.batchLengthMax()
                            + " bytes)");
        }
    }

    /** Waits for the acknowledgement. */
    void publish(final PenstockClient client, final PublishCommand command) throws BrokerException {
        final long deadlineNs = deadlineNs();
        await(post(client, command), deadlineNs);
        counters.add(BridgeCounter.PUBLISHED, 1);
    }

    /** Waits only while the broker takes no more. */
    void publish(
            final PenstockClient client, final PublishCommand command, final Consumer<@Nullable BrokerException> done)
            throws BrokerException {
        final Answer answer = new Answer(counters, done);
        final var unused = post(client, command).whenComplete((acknowledgement, reason) -> {
            if (reason == null) {
                answer.acknowledged();
            } else {
                answer.refused(reason);
            }
        });
    }

    /** Does not wait; false when the broker takes no more. */
    boolean tryPublish(
            final PenstockClient client, final PublishCommand command, final Consumer<@Nullable BrokerException> done)
            throws BrokerException {
        checkLength(command.data().capacity());
        try {
            return client.tryPublish(publication(command), command.ackType().mask(), new Answer(counters, done), 0);
        } catch (final PenstockException e) {
            throw Refusals.of(e);
        }
    }

    /** Waits for all acknowledgements of a batch that was checked. */
    void publish(final PenstockClient client, final Batch batch) throws BrokerException {
        final long deadlineNs = deadlineNs();
        final List<PublishCommand> commands = batch.commands();
        final List<CompletableFuture<Ack>> acknowledgements = new ArrayList<>(commands.size());
        boolean isFull = false;
        for (int i = 0; i < commands.size() && !isFull; i++) {
            try {
                acknowledgements.add(postUnchecked(client, commands.get(i)));
            } catch (final RuntimeException e) {
                acknowledgements.add(CompletableFuture.failedFuture(e));
                isFull = e instanceof BackPressureException;
            }
        }
        final String unsent = isFull ? "; none was sent from message " + (acknowledgements.size() - 1) + " on" : "";
        BrokerException first = null;
        for (int i = 0; i < acknowledgements.size(); i++) {
            try {
                await(acknowledgements.get(i), deadlineNs);
                counters.add(BridgeCounter.PUBLISHED, 1);
            } catch (final BrokerException e) {
                first = first == null ? batch.refusal(i, e, unsent) : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private CompletableFuture<Ack> post(final PenstockClient client, final PublishCommand command)
            throws BrokerException {
        checkLength(command.data().capacity());
        try {
            return postUnchecked(client, command);
        } catch (final PenstockException e) {
            throw Refusals.of(e);
        }
    }

    private static CompletableFuture<Ack> postUnchecked(final PenstockClient client, final PublishCommand command) {
        return client.publish(publication(command), command.ackType());
    }

    private static Publication publication(final PublishCommand command) {
        final DirectBuffer data = command.data();
        return Publication.to(command.topic()).bytes(data, 0, data.capacity()).options(command.options());
    }

    /** When a call that begins now has to be answered. */
    long deadlineNs() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(config.callTimeoutMs());
    }

    static <T> T await(final CompletableFuture<T> future, final long deadlineNs) throws BrokerException {
        try {
            return future.get(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (final ExecutionException e) {
            throw Refusals.of(e.getCause());
        } catch (final TimeoutException e) {
            throw Refusals.noAnswer();
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Refusals.of(ErrorCode.SHUTTING_DOWN, "bridge: is closing (connect again later)");
        }
    }

    /** Notifies the publisher. */
    private record Answer(BridgeCounters counters, Consumer<@Nullable BrokerException> done) implements AckHandler {
        void acknowledged() {
            counters.add(BridgeCounter.PUBLISHED, 1);
            done.accept(null);
        }

        void refused(final Throwable reason) {
            done.accept(Refusals.of(reason));
        }

        @Override
        public void onAck(final long correlationId, final AckType type, final long publisherSequence) {
            acknowledged();
        }

        @Override
        public void onFailure(final long correlationId, final PenstockException reason) {
            refused(reason);
        }
    }
}
