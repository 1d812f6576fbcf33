package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.Origin;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a node says first to the others: a fingerprint of the settings that decide what shards write, so that two nodes that
 * would write different things do not go on together. That of the first greeting in the order counts.
 *
 * <pre>
 *   0                        40                       72
 *  +------------------------+------------------------+
 *  | header of a command    | SHA-256 of the settings|
 *  +------------------------+------------------------+
 * </pre>
 */
final class Greeting {
    private static final int FINGERPRINT_LENGTH = 32;
    private static final int LENGTH = CommandHeader.LENGTH + FINGERPRINT_LENGTH;

    private final byte[] fingerprint;

    private Greeting(final byte[] fingerprint) {
        this.fingerprint = fingerprint;
    }

    /**
     * Makes that of a broker.
     *
     * @param config of it.
     * @return with the fingerprint of what has to be equal on all nodes.
     */
    static Greeting of(final BrokerConfig config) {
        final String text = String.join(
                "\n",
                "shardCount=" + config.shardCount(),
                "formatDefault=" + config.formatDefault(),
                "topics=" + config.topics(),
                "views=" + config.views(),
                "messageLengthMax=" + config.sessions().messageLengthMax(),
                "topicCountMax=" + config.sessions().topicCountMax(),
                "publisherCountMax=" + config.sessions().publisherCountMax(),
                "liveLengthMax=" + config.state().liveLengthMax());
        try {
            return new Greeting(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("cluster: this Java has no SHA-256", e);
        }
    }

    /** The command, from a start of a node. */
    byte[] command(final int member, final long incarnation) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        CommandHeader.put(
                buffer,
                0,
                CommandHeader.TEMPLATE_SETTINGS,
                new Origin(member, CommandHeader.TICK_AGENT, 0, incarnation),
                0);
        buffer.putBytes(CommandHeader.LENGTH, fingerprint);
        return buffer.byteArray();
    }

    /** Whether a command is a greeting. */
    static boolean isOne(final DirectBuffer buffer, final int offset, final int length) {
        return length == LENGTH && CommandHeader.template(buffer, offset) == CommandHeader.TEMPLATE_SETTINGS;
    }

    /** Whether another node's settings are the same. */
    boolean isSame(final DirectBuffer buffer, final int offset) {
        final byte[] other = new byte[FINGERPRINT_LENGTH];
        buffer.getBytes(offset + CommandHeader.LENGTH, other);
        return Arrays.equals(fingerprint, other);
    }
}
