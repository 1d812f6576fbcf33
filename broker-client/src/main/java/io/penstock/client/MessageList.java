package io.penstock.client;

import io.penstock.client.engine.MessageSink;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the records of a query, of a bounded length. Written by the agent, read by others when it is complete. */
final class MessageList implements MessageSink {
    /** About what a message takes in memory beside its payload, in bytes. */
    private static final int OVERHEAD = 128;

    private final List<Message> messages = new ArrayList<>();
    private final String topic;
    private final long lengthMax;
    private long length;

    MessageList(final String topic, final long lengthMax) {
        this.topic = topic;
        this.lengthMax = lengthMax;
    }

    @Override
    public boolean onMessage(final MessageView message) {
        length += message.length() + OVERHEAD;
        if (length > lengthMax) {
            throw new PenstockException(
                    ErrorCode.LIMIT_REACHED,
                    "sow of " + topic + ": the answer is longer than client.streamLength after " + messages.size()
                            + " records (use a limit, take them with a handler or a stream, or raise it)");
        }
        messages.add(message.toMessage());
        return true;
    }

    @Override
    public boolean forget() {
        messages.clear();
        length = 0;
        return true;
    }

    @Override
    public void onEnd(final @Nullable PenstockException reason) {
        throw new AssertionError("a query is no subscription");
    }

    List<Message> messages() {
        return messages;
    }
}
