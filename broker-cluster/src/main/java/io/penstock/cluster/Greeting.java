package io.penstock.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.ViewConfig;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.Origin;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
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

    /** Of the text: another one makes a cluster that was begun with it refuse its nodes. */
    private static final int FORMAT_VERSION = 1;

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
        final Settings settings = new Settings()
                .add("version", FORMAT_VERSION)
                .add("shardCount", config.shardCount())
                .add("formatDefault", config.formatDefault())
                .add("messageLengthMax", config.sessions().messageLengthMax())
                .add("topicCountMax", config.sessions().topicCountMax())
                .add("publisherCountMax", config.sessions().publisherCountMax())
                .add("liveLengthMax", config.state().liveLengthMax());
        config.topics().forEach(settings::add);
        config.views().forEach(settings::add);
        return new Greeting(settings.fingerprint());
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

    /** In hexadecimal digits. */
    String text() {
        return HexFormat.of().formatHex(fingerprint);
    }

    /**
     * What has to be equal, field by field: names and values with their lengths, so that no two settings have the same text.
     * Columns of topics are a node's own matter.
     */
    private static final class Settings {
        private final StringBuilder text = new StringBuilder();

        Settings add(final String name, final Object value) {
            final String shown = String.valueOf(value);
            text.append(name)
                    .append('=')
                    .append(shown.length())
                    .append(':')
                    .append(shown)
                    .append('\n');
            return this;
        }

        void add(final TopicConfig topic) {
            add("topic", topic.name())
                    .add("pattern", topic.pattern())
                    .add("format", topic.format())
                    .add("shard", topic.shard())
                    .add("key", topic.key())
                    .add("expirationMs", topic.expirationMs())
                    .add("journaled", topic.journaled());
        }

        void add(final ViewConfig view) {
            add("view", view.name())
                    .add("source", view.source())
                    .add("filter", view.filter())
                    .add("select", view.select())
                    .add("groupBy", view.groupBy())
                    .add("window.messageCount", view.window().messageCount())
                    .add("window.groupMessageCount", view.window().groupMessageCount())
                    .add("window.timeMs", view.window().timeMs())
                    .add("window.lengthMax", view.window().lengthMax())
                    .add("join.left", view.join().left())
                    .add("join.right", view.join().right())
                    .add("join.leftName", view.join().leftName())
                    .add("join.rightName", view.join().rightName())
                    .add("join.type", view.join().type())
                    .add("join.on", view.join().on());
        }

        byte[] fingerprint() {
            try {
                return MessageDigest.getInstance("SHA-256")
                        .digest(text.toString().getBytes(UTF_8));
            } catch (final NoSuchAlgorithmException e) {
                throw new IllegalStateException("cluster: this Java has no SHA-256", e);
            }
        }
    }
}
