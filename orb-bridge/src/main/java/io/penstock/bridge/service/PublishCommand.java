package io.penstock.bridge.service;

import io.penstock.client.AckType;
import io.penstock.client.PenstockException;
import io.penstock.client.PublishOptions;
import io.penstock.format.header.Headers;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Publication;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A publish, as the Java client takes it.
 *
 * @param topic       to publish to.
 * @param options     of the message.
 * @param data        the payload, all of the buffer; it belongs to the maker of this command, which defines how long it
 *                    is valid.
 * @param isPersisted whether to acknowledge stable storage.
 */
public record PublishCommand(String topic, PublishOptions options, DirectBuffer data, boolean isPersisted) {
    /** Only a program sends less than a whole publication that does not make it by its methods. */
    static PublishCommand of(final @Nullable Publication publication, final Headers headers, final boolean isPersisted)
            throws BrokerException {
        if (publication == null
                || publication.topic() == null
                || publication.data() == null
                || publication.key() == null) {
            throw Refusals.notWhole("message");
        }
        return new PublishCommand(
                publication.topic(),
                options(publication.key(), publication.isDelta(), publication.expirationMs(), headers),
                new UnsafeBuffer(publication.data()),
                isPersisted);
    }

    /**
     * Options of a message.
     *
     * @param key          of the record; empty = it is in the message's fields.
     * @param isDelta      whether the message holds only the fields that change.
     * @param expirationMs of the record, in milliseconds; 0 = as the topic has it, -1 = never.
     * @param headers      of the message.
     * @return the same for the Java client.
     * @throws BrokerException when no record expires so.
     */
    public static PublishOptions options(
            final String key, final boolean isDelta, final long expirationMs, final Headers headers)
            throws BrokerException {
        try {
            return new PublishOptions(key, isDelta, expirationMs).headers(headers);
        } catch (final PenstockException e) {
            throw Refusals.of(e);
        }
    }

    /** What counts of it in a batch, in bytes. */
    int length() {
        return data.capacity() + options.headers().length();
    }

    AckType ackType() {
        return isPersisted ? AckType.PERSISTED : AckType.PROCESSED;
    }
}
