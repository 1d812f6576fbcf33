package io.penstock.admin.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;

/** Makes answers, each with the headers that keep browsers from doing anything else with it. */
final class Responses {
    private static final String NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

    private static final String PAGE = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            + "require-trusted-types-for 'script'; trusted-types 'none'";

    private Responses() {}

    /** A whole answer. */
    static FullHttpResponse whole(final int status, final String mediaType, final byte[] body) {
        return whole(status, mediaType, body, false);
    }

    /** A whole answer, or only what would come before its body. */
    static FullHttpResponse whole(
            final int status, final String mediaType, final byte[] body, final boolean isHeadOnly) {
        final FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(status),
                isHeadOnly ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body));
        addHeaders(response.headers(), mediaType);
        if (status != 204 && status != 304) {
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        }
        return response;
    }

    /** The head of an answer whose parts follow. */
    static HttpResponse head(final String mediaType) {
        final HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        addHeaders(response.headers(), mediaType);
        response.headers().set(HttpHeaderNames.TRANSFER_ENCODING, "chunked");
        return response;
    }

    private static void addHeaders(final HttpHeaders headers, final String mediaType) {
        if (!mediaType.isEmpty()) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, mediaType);
        }
        headers.set("Cache-Control", "no-store");
        headers.set("Content-Security-Policy", mediaType.startsWith("text/html") ? PAGE : NOTHING);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cross-Origin-Opener-Policy", "same-origin");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
    }
}
