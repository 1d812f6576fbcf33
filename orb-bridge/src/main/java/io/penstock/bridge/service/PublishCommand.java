package io.penstock.bridge.service;

import io.penstock.client.AckType;
import io.penstock.client.PublishOptions;
import io.penstock.format.header.Headers;
import io.penstock.orb.Publication;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

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
    static PublishCommand of(final Publication publication, final Headers headers, final boolean isPersisted) {
        return new PublishCommand(
                publication.topic(),
                new PublishOptions(publication.key(), publication.isDelta(), publication.expirationMs())
                        .headers(headers),
                new UnsafeBuffer(publication.data()),
                isPersisted);
    }

    AckType ackType() {
        return isPersisted ? AckType.PERSISTED : AckType.PROCESSED;
    }
}
