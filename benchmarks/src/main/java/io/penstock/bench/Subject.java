package io.penstock.bench;

import org.agrona.DirectBuffer;

/** A broker to be measured. Owned by the main thread. */
public interface Subject extends AutoCloseable {
    /** The topic that messages are published to. */
    String TOPIC = "bench";

    /** Name in the report, for example {@code penstock}. */
    String name();

    /** Opens a connection that publishes to the topic; owned by the thread that uses it. */
    PublishPort openPublisher();

    /**
     * Opens a connection that is subscribed to the topic; owned by the thread that uses it.
     *
     * @param handler called by {@link DeliveryPort#poll()}.
     */
    DeliveryPort openSubscriber(DeliveryHandler handler);

    /** The broker's use of resources so far. */
    Usage usage();

    @Override
    void close();

    /** Takes messages to the broker. */
    interface PublishPort extends AutoCloseable {
        /** Publishes; the bytes are free again on return. False when there is no room: poll and try again. */
        boolean tryPublish(DirectBuffer buffer, int offset, int length);

        /** Sends what waits as far as there is room, takes what comes, does not block; returns the work done. */
        int poll();

        /** Whether nothing waits to be sent; poll until it is so before the last message counts as published. */
        boolean isFlushed();

        @Override
        void close();
    }

    /** Brings messages from the broker. */
    interface DeliveryPort extends AutoCloseable {
        /** Takes what has come, does not block; returns the work done. */
        int poll();

        /** Blocks until something has come, or the time is up. */
        void await(long timeoutNs);

        @Override
        void close();
    }

    /** Takes a message, whose bytes are valid until it returns. */
    @FunctionalInterface
    interface DeliveryHandler {
        void onDelivery(DirectBuffer buffer, int offset, int length);
    }

    /**
     * A broker's use of resources since it started.
     *
     * @param cpuNs          CPU time of its process, or of its threads when it has no process of its own.
     * @param allocatedBytes on the Java heap; NaN when unknown.
     * @param copiedBytes    of messages in user space, in and out; NaN when unknown.
     */
    record Usage(double cpuNs, double allocatedBytes, double copiedBytes) {
        Usage since(final Usage before) {
            return new Usage(
                    cpuNs - before.cpuNs, allocatedBytes - before.allocatedBytes, copiedBytes - before.copiedBytes);
        }
    }
}
