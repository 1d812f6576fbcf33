package io.penstock.admin.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/**
 * An error, as RFC 9457 writes it. Immutable.
 *
 * @param status of the answer.
 * @param code   a name of the reason that does not change.
 * @param detail what is wrong, and the remedy.
 */
public record Problem(int status, String code, String detail) {
    public static final String MEDIA_TYPE = "application/problem+json";

    /** Whether somebody asked for what is not let: an audit has it. Who is not known is no such case. */
    public boolean isForbidden() {
        return status == 403 || status == 421;
    }

    /** The error as JSON. */
    public byte[] bytes() {
        final Json json = new Json();
        write(json);
        return json.bytes();
    }

    /** Adds the error to a document, as an object. */
    public void write(final Json json) {
        json.begin()
                .field("type", "about:blank")
                .field("title", HttpResponseStatus.valueOf(status).reasonPhrase())
                .field("status", status)
                .field("code", code)
                .field("detail", detail)
                .end();
    }

    /** The error as text. */
    @Override
    public String toString() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
