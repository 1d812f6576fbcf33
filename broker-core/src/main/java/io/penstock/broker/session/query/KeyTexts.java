package io.penstock.broker.session.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.session.client.Session;
import io.penstock.broker.session.client.SessionContext;
import io.penstock.broker.session.client.TopicAccess;
import io.penstock.broker.session.text.Refusal;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.broker.topic.TopicPattern;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageValidator;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Reads the keys in commands. Confined to one I/O agent. */
final class KeyTexts {
    private final SessionContext context;

    KeyTexts(final SessionContext context) {
        this.context = context;
    }

    /** The keys in a text, one a line, in canonical form. */
    List<byte[]> read(final Session session, final String command, final TopicPattern topics, final String text) {
        final Topic topic = topics.isLiteral() ? context.topics().find(topics.text()) : null;
        final StateRule rule = topic == null ? null : topic.state();
        if (topic == null || rule == null) {
            throw new Refusal(
                    ErrorCode.NO_STATE,
                    command + " by keys of " + topics.text() + ": no topic with state (name one that has a key)");
        }
        final TopicAccess access = context.topics().access(session, topic);
        final List<byte[]> keys = new ArrayList<>();
        for (final String line : text.split("\n", -1)) {
            if (!line.isEmpty()) {
                keys.add(key(command, access, line.getBytes(UTF_8)));
            }
        }
        return keys;
    }

    private static byte[] key(final String command, final TopicAccess access, final byte[] line) {
        final KeyReader reader = access.topic().keyTextReader(access.keyReader());
        if (reader == null) {
            if (line.length > KeyReader.KEY_LENGTH_MAX) {
                throw new Refusal(
                        ErrorCode.BAD_KEY,
                        command + ": key of " + line.length + " bytes (use at most " + KeyReader.KEY_LENGTH_MAX + ")");
            }
            return line;
        }
        final MessageValidator validator = access.validator();
        final UnsafeBuffer message = new UnsafeBuffer(line);
        String wrong = validator.validate(message, 0, line.length);
        if (wrong == null) {
            wrong = reader.read(message, 0, line.length);
        }
        if (wrong != null) {
            throw new Refusal(
                    ErrorCode.BAD_KEY,
                    command + ": " + wrong + " (give each key as a message with the key fields, one a line)");
        }
        final byte[] key = new byte[reader.length()];
        reader.buffer().getBytes(0, key);
        return key;
    }
}
