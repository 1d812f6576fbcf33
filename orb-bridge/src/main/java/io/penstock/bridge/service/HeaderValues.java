package io.penstock.bridge.service;

import io.penstock.format.header.Headers;
import io.penstock.format.header.HeadersBuilder;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Header;
import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Headers of the contract, as those of the Java client and the other way around. */
public final class HeaderValues {
    private static final Header[] NONE = {};

    /** Memory of a header beside its name and value, in bytes. */
    private static final int OVERHEAD = 64;

    private HeaderValues() {}

    /**
     * Headers to publish.
     *
     * @param given by a client.
     * @return the same for the Java client.
     * @throws BrokerException {@code BAD_HEADER} when messages have no such headers.
     */
    public static Headers read(final @Nullable Header @Nullable [] given) throws BrokerException {
        if (given == null) {
            throw bad("header: no list of them (make it by the methods of its class)");
        }
        final HeadersBuilder builder = Headers.builder();
        try {
            for (final Header each : given) {
                put(builder, each);
            }
            final Headers headers = builder.build();
            if (headers.count() != given.length) {
                throw bad("header: a name is there twice (give each once)");
            }
            return headers;
        } catch (final IllegalArgumentException e) {
            throw bad(String.valueOf(e.getMessage()));
        }
    }

    /** Only a program sends less that does not make values by their methods. */
    private static void put(final HeadersBuilder builder, final @Nullable Header header) throws BrokerException {
        if (header == null || header.name() == null || header.text() == null || header.data() == null) {
            throw bad("header: is not whole (make it by the methods of its class)");
        }
        switch (header.type()) {
            case Header.TEXT_VALUE -> builder.put(header.name(), header.text());
            case Header.NUMBER_VALUE -> builder.put(header.name(), header.number());
            case Header.BYTES_VALUE -> builder.put(header.name(), header.data());
            default -> throw bad("header: unknown type: " + header.type() + " (use 0 to 2)");
        }
    }

    private static BrokerException bad(final String text) {
        return Refusals.of(ErrorCode.BAD_HEADER, text);
    }

    /** Headers of a message that was delivered. */
    static Header[] of(final Headers headers) {
        if (headers.isEmpty()) {
            return NONE;
        }
        final List<Header> list = new ArrayList<>();
        headers.forEach((name, value) -> list.add(of(name, value)));
        return list.toArray(NONE);
    }

    private static Header of(final String name, final Object value) {
        if (value instanceof Long number) {
            return Header.of(name, number);
        }
        return value instanceof byte[] bytes ? Header.of(name, bytes) : Header.of(name, (String) value);
    }

    /**
     * The memory of headers.
     *
     * @param headers of a message.
     * @return in bytes.
     */
    public static long length(final Header[] headers) {
        long length = 0;
        for (final Header each : headers) {
            length += OVERHEAD
                    + (long) Character.BYTES
                            * (each.name().length() + each.text().length())
                    + each.data().length;
        }
        return length;
    }
}
