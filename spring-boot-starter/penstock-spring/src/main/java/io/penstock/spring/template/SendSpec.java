package io.penstock.spring.template;

import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.Publication;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.convert.MessageMapper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * How to send to a topic; made by {@link PenstockTemplate#to}. Mutable, and may send several messages. Confined to one
 * thread.
 */
public final class SendSpec {
    private final PenstockTemplate template;
    private final String topic;
    private final Map<String, Object> headers = new LinkedHashMap<>();
    private AckType ackType;

    SendSpec(final PenstockTemplate template, final String topic, final AckType ackType) {
        this.template = template;
        this.topic = topic;
        this.ackType = ackType;
    }

    /**
     * Names the record, on topics whose publishers give the key.
     *
     * @param key of the record.
     * @return this.
     */
    public SendSpec key(final String key) {
        headers.put(PenstockHeaders.KEY, key);
        return this;
    }

    /**
     * Adds a header.
     *
     * @param name  of the header.
     * @param value a text, an integer or bytes; of anything else its text.
     * @return this.
     */
    public SendSpec header(final String name, final Object value) {
        headers.put(name, value);
        return this;
    }

    /**
     * Says how long the record stays when nothing changes it.
     *
     * @param time at least a millisecond.
     * @return this.
     */
    public SendSpec expiration(final Duration time) {
        headers.put(PenstockHeaders.EXPIRATION, time);
        return this;
    }

    /**
     * Says that payloads hold only the fields that change, and those of the key.
     *
     * @return this.
     */
    public SendSpec delta() {
        headers.put(PenstockHeaders.DELTA, true);
        return this;
    }

    /**
     * Says which acknowledgement completes the future.
     *
     * @param type received, processed or persisted.
     * @return this.
     */
    public SendSpec acknowledgement(final AckType type) {
        ackType = PenstockTemplate.checkedAckType(type);
        return this;
    }

    /**
     * Sends a message.
     *
     * @param payload text, bytes, a Spring message, or what a converter takes.
     * @return completed on the client's thread with the acknowledgement.
     * @see PenstockTemplate#send(String, Object)
     */
    public CompletableFuture<Ack> send(final Object payload) {
        return template.send(topic, publication(payload), ackType);
    }

    /**
     * Sends a request, and waits for the reply without blocking.
     *
     * @param payload   of the request.
     * @param replyType of the reply's payload.
     * @param timeout   the longest wait.
     * @param <T>       of the reply's payload.
     * @return completed on the client's thread with the reply.
     * @see PenstockTemplate#request(String, Object, Class)
     */
    public <T> CompletableFuture<T> request(final Object payload, final Class<T> replyType, final Duration timeout) {
        return template.request(topic, publication(payload), replyType, timeout);
    }

    private Publication publication(final Object payload) {
        final Publication publication = template.publication(topic, payload);
        headers.forEach((name, value) -> {
            if (name.startsWith(PenstockHeaders.PREFIX)) {
                MessageMapper.putHeader(publication, name, value);
            } else {
                MessageMapper.addHeader(publication, name, value);
            }
        });
        return publication;
    }
}
