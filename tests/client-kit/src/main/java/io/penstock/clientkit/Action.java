package io.penstock.clientkit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the kit asks the client to do, by its members. */
record Action(Map<String, @Nullable Object> members) {
    boolean has(final String name) {
        return members.get(name) != null;
    }

    String text(final String name) {
        return text(name, "");
    }

    String text(final String name, final String otherwise) {
        return members.get(name) instanceof String text ? text : otherwise;
    }

    int number(final String name, final int otherwise) {
        return members.get(name) instanceof Number number ? number.intValue() : otherwise;
    }

    long longNumber(final String name) {
        return members.get(name) instanceof Number number ? number.longValue() : 0;
    }

    Duration millis(final String name, final int otherwise) {
        return Duration.ofMillis(number(name, otherwise));
    }

    boolean is(final String name) {
        return Boolean.TRUE.equals(members.get(name));
    }

    List<String> texts(final String name) {
        return members.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    Map<?, ?> map(final String name) {
        return members.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }

    /** What the action is about: observations of it have the same. */
    String id() {
        return text("id", "client");
    }

    byte[] payload() {
        return has("payloadLength")
                ? pattern(number("payloadLength", 0))
                : text("payload").getBytes(StandardCharsets.UTF_8);
    }

    /** A long payload, as the kit makes it: a JSON text of one letter after the other. */
    static byte[] pattern(final int length) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length - 2; i++) {
            bytes[i + 1] = (byte) ('a' + i % 26);
        }
        bytes[0] = '"';
        bytes[length - 1] = '"';
        return bytes;
    }
}
