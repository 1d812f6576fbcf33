package io.penstock.faults;

import io.penstock.client.AckHandler;
import io.penstock.client.AckType;
import io.penstock.client.ClientConfig;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.Topic;
import io.penstock.protocol.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Publishers that go on after their last acknowledged message, so that what was sent and not acknowledged is sent again,
 * until they are stopped, refused or cut off.
 */
final class Load implements AutoCloseable {
    private static final long PAUSE_NS = 100_000;

    /**
     * Without an acknowledgement for so long, a publisher sends one message more than its bound: messages that the broker
     * took before its disk was full wait for room, and only a new one is refused.
     */
    private static final long PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final String endpoint;
    private final Acknowledged acknowledged;
    private final int inFlightMax;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong outOfOrder = new AtomicLong();
    private final AtomicReference<@Nullable ErrorCode> refusal = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Why each publisher has ended; null while it runs. */
    private final AtomicReferenceArray<@Nullable String> ends;

    private Load(final String endpoint, final Acknowledged acknowledged, final int inFlightMax) {
        this.endpoint = endpoint;
        this.acknowledged = acknowledged;
        this.inFlightMax = inFlightMax;
        ends = new AtomicReferenceArray<>(acknowledged.publisherCount());
    }

    /**
     * Starts publishers.
     *
     * @param endpoint     of the broker.
     * @param acknowledged where each goes on; notified of acknowledgements.
     * @param inFlightMax  most messages of each that wait to be acknowledged.
     */
    static Load start(final String endpoint, final Acknowledged acknowledged, final int inFlightMax) {
        final Load load = new Load(endpoint, acknowledged, inFlightMax);
        for (int i = 0; i < acknowledged.publisherCount(); i++) {
            final int publisher = i;
            final Thread thread = new Thread(() -> load.run(publisher), LoadMessage.publisherName(i));
            thread.setDaemon(true);
            load.threads.add(thread);
            thread.start();
        }
        return load;
    }

    /** Acknowledgements that came before those of earlier messages. */
    long outOfOrder() {
        return outOfOrder.get();
    }

    /** Why the broker refused a message, or null. */
    @Nullable
    ErrorCode refusal() {
        return refusal.get();
    }

    /** How many messages were acknowledged so far, those of earlier loads with them. */
    long acknowledgedCount() {
        return acknowledged.count();
    }

    /** How many publishers have not ended. */
    int runningCount() {
        int count = 0;
        for (int i = 0; i < ends.length(); i++) {
            count += ends.get(i) == null ? 1 : 0;
        }
        return count;
    }

    /** Which publishers have ended, and why; empty when none has. */
    String ends() {
        final List<String> texts = new ArrayList<>();
        for (int i = 0; i < ends.length(); i++) {
            final String end = ends.get(i);
            if (end != null) {
                texts.add(LoadMessage.publisherName(i) + ": " + end);
            }
        }
        return String.join("; ", texts);
    }

    /** Ends the publishers, whatever is on its way. */
    @Override
    public void close() {
        stopped.set(true);
        for (final Thread thread : threads) {
            try {
                thread.join();
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run(final int publisher) {
        String end = "an error, see its stack";
        try {
            end = publish(publisher);
        } catch (final RuntimeException e) {
            // The broker has ended, or was not there yet: the next load goes on.
            end = reason(e);
        } finally {
            ends.set(publisher, end);
        }
    }

    private static String reason(final RuntimeException failure) {
        final ErrorCode code = failure instanceof PenstockException known ? known.errorCode() : null;
        return code == null ? failure.toString() : code + ": " + failure.getMessage();
    }

    /** Returns why it has ended. */
    private String publish(final int publisher) {
        final ClientConfig config = ClientConfig.builder(endpoint)
                .name(LoadMessage.publisherName(publisher))
                .connectTimeout(Duration.ofSeconds(10))
                .closeTimeout(Duration.ofMillis(200))
                .build();
        try (PenstockClient client = PenstockClient.connect(config)) {
            client.declareTopic(Topic.json(LoadMessage.STATE_TOPIC).key("id"));
            return publish(publisher, client);
        }
    }

    private String publish(final int publisher, final PenstockClient client) {
        final Acks acks = new Acks(publisher);
        final Publication message = Publication.to("");
        long next = acknowledged.highest(publisher) + 1;
        long highest = 0;
        long waitsSinceNs = System.nanoTime();
        while (!stopped.get() && acks.failure.get() == null) {
            final long nowNs = System.nanoTime();
            if (acknowledged.highest(publisher) != highest) {
                highest = acknowledged.highest(publisher);
                waitsSinceNs = nowNs;
            }
            if (next - highest > inFlightMax) {
                if (nowNs - waitsSinceNs < PATIENCE_NS) {
                    LockSupport.parkNanos(PAUSE_NS);
                    continue;
                }
                waitsSinceNs = nowNs;
            }
            final byte[] bytes = LoadMessage.text(publisher, next).getBytes(StandardCharsets.UTF_8);
            message.topic(LoadMessage.topic(next)).bytes(bytes).publisherSequence(next);
            if (client.tryPublish(message, AckType.PERSISTED.mask(), acks, next)) {
                next++;
            } else {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        final PenstockException failure = acks.failure.get();
        return failure == null ? "stopped" : reason(failure);
    }

    private final class Acks implements AckHandler {
        private final int publisher;
        private final AtomicReference<@Nullable PenstockException> failure = new AtomicReference<>();

        private Acks(final int publisher) {
            this.publisher = publisher;
        }

        @Override
        public void onAck(final long sequence, final AckType type, final long publisherSequence) {
            if (failure.get() == null && !acknowledged.add(publisher, sequence)) {
                outOfOrder.incrementAndGet();
            }
        }

        @Override
        public void onFailure(final long sequence, final PenstockException reason) {
            // First, since a thread that finds that no publisher runs any more asks for it then.
            if (reason.errorCode() != null) {
                refusal.compareAndSet(null, reason.errorCode());
            }
            failure.compareAndSet(null, reason);
        }
    }
}
