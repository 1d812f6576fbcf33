package io.penstock.standalone.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.client.Message;
import io.penstock.client.RecordKind;
import io.penstock.standalone.console.HeaderText;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.Rows;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Messages as rows. As JSON a row has all that there is of a message, and the message itself in a field. In the other forms the
 * fields of a message that is an object are the columns, and what stands beside the message has names that begin with an at
 * sign. A field of the message that has one of those names gets a second at sign, whether that stands beside it or not.
 */
public final class MessageRows implements MessageOutput {
    private static final Pattern OWN_NAME = Pattern.compile("@+(time|topic|bookmark|kind|key|headers)");

    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Rows rows;
    private final boolean isJson;
    private final MessageColumns columns;

    /**
     * Begins.
     *
     * @param rows    closed with this.
     * @param isJson  whether they are printed as JSON.
     * @param columns beside the fields of messages, in the other forms.
     */
    MessageRows(final Rows rows, final boolean isJson, final MessageColumns columns) {
        this.rows = rows;
        this.isJson = isJson;
        this.columns = columns;
    }

    /**
     * Records with nothing beside them.
     *
     * @param rows   closed with this.
     * @param isJson whether they are printed as JSON.
     * @return what takes them.
     */
    public static MessageRows of(final Rows rows, final boolean isJson) {
        return new MessageRows(rows, isJson, new MessageColumns(false, false, false, false));
    }

    @Override
    public void write(final Message message) {
        rows.add(isJson ? whole(message) : flat(message));
    }

    @Override
    public void flush() {
        rows.flush();
    }

    @Override
    public void close() {
        rows.close();
    }

    private static String whole(final Message message) {
        final Json json = new Json()
                .field("topic", message.topic())
                .field("kind", name(message.kind()))
                .field("time", time(message))
                .field("bookmark", message.shard() + ":" + message.sequence())
                .field("key", message.key());
        if (!message.headers().isEmpty()) {
            json.raw("headers", HeaderText.json(message.headers()));
        }
        return payload(json, message.bytes()).end();
    }

    private static Json payload(final Json json, final byte[] bytes) {
        try {
            final String text =
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            final String compact = Json.compact(text);
            return compact == null ? json.field("text", text) : json.raw("message", compact);
        } catch (final CharacterCodingException e) {
            return json.field("base64", Base64.getEncoder().encodeToString(bytes));
        }
    }

    private String flat(final Message message) {
        final Json json = new Json();
        if (columns.isLong()) {
            json.field("@time", time(message))
                    .field("@topic", message.topic())
                    .field("@bookmark", message.shard() + ":" + message.sequence());
        }
        if (columns.hasKinds()) {
            json.field("@kind", name(message.kind()));
        }
        if (columns.hasKeys()) {
            json.field("@key", message.key());
        }
        if (columns.hasHeaders()) {
            json.field("@headers", HeaderText.column(message.headers()));
        }
        final String text = message.text();
        final String given = Json.compact(text);
        if (given != null && given.startsWith("{")) {
            final String compact = given.contains("\"@") ? Json.renamed(given, MessageRows::apart) : given;
            final String beside = json.end();
            return compact.equals("{}") || beside.equals("{}")
                    ? (beside.equals("{}") ? compact : beside)
                    : beside.substring(0, beside.length() - 1) + "," + compact.substring(1);
        }
        return json.field("message", text).end();
    }

    private static String apart(final String field) {
        return OWN_NAME.matcher(field).matches() ? "@" + field : field;
    }

    /** When it was published, as people and programs read it. */
    static String time(final Message message) {
        return Instant.ofEpochSecond(message.timestampNs() / NANOS_PER_SECOND, message.timestampNs() % NANOS_PER_SECOND)
                .toString();
    }

    /** The name of a kind for people: {@code oof-deleted} for example. */
    static String name(final RecordKind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
