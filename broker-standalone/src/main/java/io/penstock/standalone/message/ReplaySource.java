package io.penstock.standalone.message;

import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.client.PublishOptions;
import java.io.Closeable;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Messages that were published once, in their order, to be published again. */
interface ReplaySource extends Closeable {
    /** Goes to the next message. Returns false at the end. */
    boolean next() throws IOException;

    /** Holds the present message until the next call of {@link #next}. */
    DirectBuffer buffer();

    int offset();

    int length();

    String topic();

    /** The declaration of its topic, or null when it is unknown. */
    @Nullable
    TopicRecord declaration();

    PublishOptions options();

    /** Whether the record with the message's key, or with that of the options, was deleted. */
    boolean isDelete();

    /** When it was published, in nanoseconds since 1970; 0 when nobody knows. */
    long timestampNs();

    /** Where it is, for people. */
    String place();

    /** How much there is to take: bytes of a file, or records of a log; 0 when nobody knows. */
    long total();

    /** How much of it was taken. */
    long taken();
}
