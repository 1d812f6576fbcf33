package io.penstock.spring.template;

import io.micrometer.observation.ObservationRegistry;
import io.penstock.client.Ack;
import io.penstock.client.AckType;
import io.penstock.client.BackPressureException;
import io.penstock.client.ConnectionException;
import io.penstock.client.Message;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.Publication;
import io.penstock.client.QueryStream;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import io.penstock.client.Subscription;
import io.penstock.spring.LogText;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.convert.MessageMapper;
import io.penstock.spring.convert.PenstockConverters;
import io.penstock.spring.observation.PenstockSendConvention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.converter.MessageConversionException;
import org.springframework.messaging.converter.MessageConverter;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.util.ClassUtils;

/**
 * Sends, queries and asks. Payloads are texts, bytes, Spring messages, or what the {@link MessageConverter} takes. Set up
 * before it is first used; then safe on any thread.
 *
 * <p>With {@link #setTransactionSynchronized} a message that is sent in a Spring transaction goes out after it has
 * committed, in the order of the calls, and not at all when it rolls back; its future fails then. The payload is converted
 * when it is sent, so that what cannot be converted fails the transaction. This promises that nothing is published of what
 * was rolled back. It does not promise that everything is published that has committed: a program that ends between the
 * two loses the message, as it does when the send fails after the commit, which is logged. Where that matters, write the
 * message to a table in the same transaction, and publish from there. The future is completed after the commit, so waiting
 * for it in the transaction waits for ever.
 */
public final class PenstockTemplate {
    private static final boolean HAS_TRANSACTIONS = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronization",
            PenstockTemplate.class.getClassLoader());
    private static final Duration REQUEST_TIMEOUT_DEFAULT = Duration.ofSeconds(10);

    private final PenstockConnection connection;
    private MessageMapper mapper;
    private Sender sender;
    private @Nullable String defaultTopic;
    private AckType ackType = AckType.PROCESSED;
    private Duration requestTimeout = REQUEST_TIMEOUT_DEFAULT;
    private boolean isTransactionSynchronized;
    private ObservationRegistry registry = ObservationRegistry.NOOP;
    private @Nullable PenstockSendConvention convention;

    /**
     * Makes a template with the default converters.
     *
     * @param connection that its client comes from.
     */
    public PenstockTemplate(final PenstockConnection connection) {
        this(connection, PenstockConverters.defaults());
    }

    /**
     * Makes a template.
     *
     * @param connection that its client comes from.
     * @param converter  of payloads that are neither texts nor bytes.
     */
    public PenstockTemplate(final PenstockConnection connection, final MessageConverter converter) {
        this.connection = connection;
        mapper = new MessageMapper(converter);
        sender = new Sender(connection, registry, null);
    }

    /**
     * Chooses the topic of messages that are sent without one.
     *
     * @param topic its name.
     */
    public void setDefaultTopic(final String topic) {
        defaultTopic = topic;
    }

    /**
     * Chooses the converter.
     *
     * @param converter of payloads that are neither texts nor bytes.
     */
    public void setMessageConverter(final MessageConverter converter) {
        mapper = new MessageMapper(converter);
    }

    public MessageConverter getMessageConverter() {
        return mapper.converter();
    }

    /**
     * Chooses which acknowledgement completes the future of a send.
     *
     * @param type received, processed (the default) or persisted.
     */
    public void setAckType(final AckType type) {
        ackType = checkedAckType(type);
    }

    static AckType checkedAckType(final AckType type) {
        if (type == AckType.STATS || type == AckType.COMPLETED) {
            throw new IllegalArgumentException(
                    "template.ackType: not one of a message: " + type + " (use RECEIVED, PROCESSED or PERSISTED)");
        }
        return type;
    }

    /**
     * Bounds how long a request waits for its reply.
     *
     * @param timeout the longest wait, 10 seconds by default.
     */
    public void setRequestTimeout(final Duration timeout) {
        requestTimeout = timeout;
    }

    /**
     * Sends after the commit what is sent in a transaction.
     *
     * @param isSynchronized true for after the commit; false for at once, which is the default.
     */
    public void setTransactionSynchronized(final boolean isSynchronized) {
        if (isSynchronized && !HAS_TRANSACTIONS) {
            throw new IllegalArgumentException(
                    "template.transactionSynchronized: spring-tx is not on the class path (add it, or leave this out)");
        }
        isTransactionSynchronized = isSynchronized;
    }

    /**
     * Observes what is sent, and adds the trace to its headers.
     *
     * @param newRegistry that observations go to.
     */
    public void setObservationRegistry(final ObservationRegistry newRegistry) {
        registry = newRegistry;
        sender = new Sender(connection, registry, convention);
    }

    /**
     * Chooses names and tags of observations.
     *
     * @param newConvention null for the default.
     */
    public void setObservationConvention(final @Nullable PenstockSendConvention newConvention) {
        convention = newConvention;
        sender = new Sender(connection, registry, convention);
    }

    /**
     * The client behind the template.
     *
     * @return the shared client.
     * @throws ConnectionException when the broker cannot be reached.
     */
    public PenstockClient client() {
        return connection.client();
    }

    /**
     * Begins a message with key, headers, expiration, acknowledgement, or a delta.
     *
     * @param topic to send to.
     * @return what to say it with.
     */
    public SendSpec to(final String topic) {
        return new SendSpec(this, topic, ackType);
    }

    /**
     * Sends a message to the default topic.
     *
     * @param payload text, bytes, a Spring message, or what the converter takes.
     * @return as {@link #send(String, Object)}.
     */
    public CompletableFuture<Ack> send(final Object payload) {
        final String topic = defaultTopic;
        if (topic == null) {
            throw new IllegalStateException(
                    "template.defaultTopic: is not set (set it, or send with the name of a topic)");
        }
        return send(topic, payload);
    }

    /**
     * Sends a message. Waits for room as the client does, and for the broker when there has been no connection yet.
     *
     * @param topic   to send to.
     * @param payload text, bytes, a Spring message, or what the converter takes; copied before this returns.
     * @return completed on the client's thread with the acknowledgement, or with the broker's refusal; functions chained
     *     to it must not block, unless they are chained by one of its {@code Async} methods.
     * @throws MessageConversionException when no converter takes the payload.
     * @throws BackPressureException      when there was no room in time.
     * @throws ConnectionException        when the broker cannot be reached.
     */
    public CompletableFuture<Ack> send(final String topic, final Object payload) {
        return send(topic, publication(topic, payload), ackType);
    }

    /** What waits for a commit has bytes of its own, as the caller may change his. */
    Publication publication(final String topic, final Object payload) {
        return mapper.toPublication(topic, isAfterCommit() ? copied(payload) : payload);
    }

    private static Object copied(final Object payload) {
        if (payload instanceof byte[] bytes) {
            return bytes.clone();
        }
        return payload instanceof org.springframework.messaging.Message<?> message
                        && message.getPayload() instanceof byte[] bytes
                ? MessageBuilder.createMessage(bytes.clone(), message.getHeaders())
                : payload;
    }

    private boolean isAfterCommit() {
        return isTransactionSynchronized && AfterCommit.isTransactionActive();
    }

    CompletableFuture<Ack> send(final String topic, final Publication publication, final AckType type) {
        return isAfterCommit()
                ? AfterCommit.run(topic, () -> sender.sendAfterCommit(topic, publication, type))
                : sender.send(topic, publication, type);
    }

    /**
     * Sends a request, and waits for the first reply to it without blocking. Never waits for a transaction.
     *
     * @param topic     that somebody answers on.
     * @param payload   of the request.
     * @param replyType of the reply's payload.
     * @param <T>       of the reply's payload.
     * @return completed on the client's thread with the reply; it fails when nobody answers on the topic, or not in time,
     *     or the reply cannot be converted, or has the header {@link PenstockHeaders#ERROR}; with the type {@link Message}
     *     it is the reply then.
     */
    public <T> CompletableFuture<T> request(final String topic, final Object payload, final Class<T> replyType) {
        return request(topic, mapper.toPublication(topic, payload), replyType, requestTimeout);
    }

    <T> CompletableFuture<T> request(
            final String topic, final Publication publication, final Class<T> replyType, final Duration timeout) {
        final MessageMapper replies = mapper;
        return sender.request(topic, publication, timeout).thenApply(reply -> {
            final String error = reply.headers().text(PenstockHeaders.ERROR);
            if (error != null && replyType != Message.class) {
                throw new PenstockException(
                        "request to " + topic + ": the responder has failed: " + LogText.of(error), null);
            }
            return replies.payload(reply, replyType);
        });
    }

    /**
     * Queries state, and keeps the whole answer in memory.
     *
     * @param topic  with state.
     * @param filter a condition on the fields of records; empty = all.
     * @param type   of the payloads.
     * @param <T>    of the payloads.
     * @return the records, at most as many bytes as the client's streams may hold.
     */
    public <T> List<T> query(final String topic, final String filter, final Class<T> type) {
        return query(SowRequest.topic(topic).filter(filter), type);
    }

    /**
     * Queries state, and keeps the whole answer in memory.
     *
     * @param request what is asked.
     * @param type    of the payloads.
     * @param <T>     of the payloads.
     * @return the payloads of the records in the order that was asked for.
     */
    public <T> List<T> query(final SowRequest request, final Class<T> type) {
        final List<T> payloads = new ArrayList<>();
        for (final Message message : connection.client().sow(request).messages()) {
            payloads.add(mapper.payload(message, type));
        }
        return payloads;
    }

    /**
     * Queries state, and hands over each record as it comes, on the calling thread. While the consumer is slow, the client
     * stops reading its connection.
     *
     * @param request what is asked.
     * @param type    of the payloads.
     * @param action  called with each record; what it throws ends the query, and is thrown here.
     * @param <T>     of the payloads.
     */
    public <T> void query(final SowRequest request, final Class<T> type, final Consumer<PenstockRecord<T>> action) {
        try (QueryStream records = connection.client().sowStream(request)) {
            for (final Message message : records) {
                action.accept(new PenstockRecord<>(mapper.payload(message, type), message));
            }
        }
    }

    /**
     * Queries state and follows it: hands over the records as they are now, and then each change.
     *
     * @param request what to; its state comes first, as if {@link SubscribeRequest#sow()} was called.
     * @param type    of the payloads.
     * @param action  called with each record on the client's thread: it must not block. What it throws, and a payload that
     *                cannot be converted, is treated as the client's configuration says of handlers. A listener is the
     *                better choice for work that takes time.
     * @param <T>     of the payloads.
     * @return the subscription, to be closed by the caller.
     */
    public <T> Subscription follow(
            final SubscribeRequest request, final Class<T> type, final Consumer<PenstockRecord<T>> action) {
        final MessageMapper payloads = mapper;
        return connection.client().subscribe(request.sow(), (final MessageView view) -> {
            final Message message = view.toMessage();
            action.accept(new PenstockRecord<>(payloads.payload(message, type), message));
        });
    }
}
