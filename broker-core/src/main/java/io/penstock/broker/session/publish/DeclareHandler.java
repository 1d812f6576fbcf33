package io.penstock.broker.session.publish;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.shard.command.OpenTopic;
import io.penstock.broker.shard.command.ShardCommand;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicRules;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.AckType;
import io.penstock.protocol.codec.DeclareTopicDecoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** Takes declarations of topics. Confined to one I/O agent. */
public final class DeclareHandler {
    private static final int PROCESSED = 1 << AckType.PROCESSED.value();
    private static final long EXPIRATION_MS_MAX = 100L * 366 * 24 * 3600 * 1000;

    private final SessionContext context;
    private final TopicCreator creator;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final DeclareTopicDecoder declareTopicCommand = new DeclareTopicDecoder();

    /** Makes it for the sessions of one I/O agent. */
    public DeclareHandler(final SessionContext context, final TopicCreator creator) {
        this.context = context;
        this.creator = creator;
    }

    /** Has a topic made as a client declares it, or refuses to. */
    public void onDeclareTopic(final Session session, final DirectBuffer buffer, final int offset) {
        final DeclareTopicDecoder command = declareTopicCommand.wrapAndApplyHeader(buffer, offset, header);
        final long commandId = command.commandId();
        final int ackTypes = command.ackTypes().getRaw();
        final String name = command.topic();
        final long expirationMs = command.expirationMs();
        final String format = command.format();
        final String key = command.key();
        final MessageFormat messageFormat = MessageFormats.find(format);
        final StateRule state = key.isEmpty() && expirationMs == 0 ? null : rule(key, expirationMs);
        final String wrong = Topic.checkName(name);
        if (wrong != null) {
            context.refuse(session, commandId, 0, 0, ErrorCode.BAD_TOPIC, wrong);
        } else if (context.isDraining()) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.SHUTTING_DOWN,
                    "declare topic: broker is shutting down (connect again later)");
        } else if (messageFormat == null) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.BAD_FORMAT,
                    "topic " + name + ": no such format: " + format + " (use one of " + MessageFormats.names() + ")");
        } else if (state != null && wrong(messageFormat, key, expirationMs, state) != null) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.BAD_KEY,
                    "topic " + name + ": " + wrong(messageFormat, key, expirationMs, state));
        } else {
            open(session, commandId, ackTypes, name, format, state);
        }
    }

    private void open(
            final Session session,
            final long commandId,
            final int ackTypes,
            final String name,
            final String format,
            final @Nullable StateRule state) {
        creator.open(
                session,
                commandId,
                0,
                name,
                format,
                state,
                (of, reply) -> onTopicDeclared(of, reply, commandId, ackTypes, format, state),
                of -> open(of, commandId, ackTypes, name, format, state));
    }

    private void onTopicDeclared(
            final Session session,
            final ShardCommand reply,
            final long commandId,
            final int ackTypes,
            final String format,
            final @Nullable StateRule state) {
        final OpenTopic opened = (OpenTopic) reply;
        final Topic topic = opened.topic();
        if (topic == null) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.LIMIT_REACHED,
                    "topic: no more topics: " + opened.name()
                            + " (use one that exists, or raise sessions.topicCountMax)");
        } else if (!topic.format().name().equals(format)) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.BAD_FORMAT,
                    "topic " + topic.name() + ": has format " + topic.format().name() + ", not " + format
                            + " (declare it with that, or use another topic)");
        } else if (!Objects.equals(topic.state(), state)) {
            context.refuse(
                    session,
                    commandId,
                    0,
                    0,
                    ErrorCode.BAD_KEY,
                    "topic " + topic.name() + ": " + described(topic.state())
                            + " (declare it with that, or use another topic)");
        } else if ((ackTypes & PROCESSED) != 0) {
            context.answers().ack(session.outbox(), commandId, 0, AckType.PROCESSED);
        }
    }

    private static String described(final @Nullable StateRule state) {
        if (state == null) {
            return "has no state";
        }
        return state.isView() ? "is a view" : "has the key " + state.key() + " or another expiration";
    }

    private static StateRule rule(final String key, final long expirationMs) {
        return StateRule.of(key, TimeUnit.MILLISECONDS.toNanos(Math.max(0, Math.min(expirationMs, EXPIRATION_MS_MAX))));
    }

    private static @Nullable String wrong(
            final MessageFormat format, final String key, final long expirationMs, final StateRule state) {
        if (expirationMs < 0) {
            return "expiration: negative: " + expirationMs + " (use 0 for none)";
        }
        if (key.isEmpty()) {
            return "expiration: without a key (give the key)";
        }
        final List<String> fields =
                Stream.of(key.split(",", -1)).map(String::strip).toList();
        return Set.copyOf(fields).size() < fields.size()
                ? "key: names a field twice: " + key + " (name each once)"
                : TopicRules.check(format, state);
    }
}
