package io.penstock.clientkit;

import io.penstock.client.Bookmark;
import io.penstock.client.ConnectionException;
import io.penstock.client.Message;
import io.penstock.client.NoReplyException;
import io.penstock.client.PenstockException;
import io.penstock.client.RecordKind;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Tells the kit what was seen, a line each. Used from any thread. */
final class Observations {
    private static final int SHORT_LENGTH = 1000;

    private final PrintStream out;

    Observations(final PrintStream out) {
        this.out = out;
    }

    void tell(final String of, final String event) {
        tell(of, event, Map.of());
    }

    synchronized void tell(final String of, final String event, final Map<String, ? extends @Nullable Object> more) {
        final Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("of", of);
        line.put("event", event);
        line.putAll(more);
        out.println(Json.write(line));
        out.flush();
    }

    void failed(final String of, final String event, final Throwable failure) {
        final Throwable cause = (failure instanceof CompletionException || failure instanceof ExecutionException)
                        && failure.getCause() != null
                ? failure.getCause()
                : failure;
        final Map<String, @Nullable Object> more = new LinkedHashMap<>();
        more.put("error", kind(cause));
        more.put("code", cause instanceof PenstockException e && e.errorCode() != null ? e.errorCode() : null);
        more.put("text", cause.getMessage());
        tell(of, event, more);
    }

    private static String kind(final Throwable failure) {
        if (failure instanceof ConnectionException) {
            return "connection";
        }
        if (failure instanceof NoReplyException) {
            return "timeout";
        }
        return failure instanceof PenstockException ? "broker" : "argument";
    }

    void message(final String of, final Message message, final int creditLength) {
        final byte[] payload = message.bytes();
        final Map<String, @Nullable Object> more = new LinkedHashMap<>();
        more.put("topic", message.topic());
        more.put("kind", kind(message.kind()));
        more.put("bookmark", message.bookmark());
        more.put("key", message.key());
        more.put("headers", headers(message));
        more.put("timestampNs", message.timestampNs());
        more.put("creditLength", creditLength);
        if (payload.length > SHORT_LENGTH) {
            more.put("payloadLength", payload.length);
            more.put("isPattern", Arrays.equals(payload, Action.pattern(payload.length)));
        } else {
            more.put("payload", new String(payload, StandardCharsets.UTF_8));
        }
        tell(of, "message", more);
    }

    private static Map<String, Object> headers(final Message message) {
        final Map<String, Object> headers = new LinkedHashMap<>();
        message.headers()
                .toMap()
                .forEach((name, value) -> headers.put(
                        name,
                        value instanceof byte[] bytes
                                ? Map.of("hex", HexFormat.of().formatHex(bytes))
                                : value));
        return headers;
    }

    /** As the protocol names it. */
    private static String kind(final RecordKind kind) {
        return switch (kind) {
            case MESSAGE -> "PUBLISH";
            case STATE -> "SOW";
            default -> kind.name();
        };
    }

    static @Nullable String text(final Bookmark bookmark) {
        return bookmark.equals(Bookmark.NONE) ? null : bookmark.toString();
    }
}
