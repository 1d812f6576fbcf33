package io.penstock.standalone.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.input.MessageTemplate;
import org.agrona.concurrent.UnsafeBuffer;

/** One text as several messages, with its placeholders filled in for each. */
final class RepeatedMessage implements PayloadSource {
    private final MessageTemplate template;
    private final long count;
    private final int lengthMax;
    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private long number;

    /**
     * Starts before the first.
     *
     * @param template  of each.
     * @param count     of messages.
     * @param lengthMax of a message, in bytes.
     */
    RepeatedMessage(final MessageTemplate template, final long count, final int lengthMax) {
        this.template = template;
        this.count = count;
        this.lengthMax = lengthMax;
    }

    @Override
    public boolean next() {
        if (number == count) {
            return false;
        }
        number++;
        final byte[] bytes = template.text(number).getBytes(UTF_8);
        if (bytes.length > lengthMax) {
            throw CommandFailure.badInput("--message: longer than " + lengthMax
                    + " bytes, the longest message that is accepted: " + bytes.length + " (send less)");
        }
        buffer.wrap(bytes);
        return true;
    }

    @Override
    public UnsafeBuffer buffer() {
        return buffer;
    }

    @Override
    public int offset() {
        return 0;
    }

    @Override
    public int length() {
        return buffer.capacity();
    }

    @Override
    public long lineNumber() {
        return number;
    }

    @Override
    public long taken() {
        return number;
    }
}
