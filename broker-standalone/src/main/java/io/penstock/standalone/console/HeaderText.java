package io.penstock.standalone.console;

import io.penstock.format.header.Headers;
import java.util.Base64;

/** Shows headers. */
public final class HeaderText {
    private HeaderText() {}

    /**
     * Headers in one column: {@code name=value, name=value}, bytes in Base64, without tabs and line breaks.
     *
     * @param headers of a message.
     * @return empty for none.
     */
    public static String column(final Headers headers) {
        final StringBuilder text = new StringBuilder();
        headers.forEach((name, value) -> text.append(text.isEmpty() ? "" : ", ")
                .append(name)
                .append('=')
                .append(value instanceof byte[] bytes ? Base64.getEncoder().encodeToString(bytes) : value));
        return text.toString().replaceAll("\\p{Cc}", " ");
    }

    /**
     * Headers as a JSON object, bytes in Base64.
     *
     * @param headers of a message.
     * @return the object.
     */
    public static String json(final Headers headers) {
        final Json json = new Json();
        headers.forEach((name, value) -> {
            if (value instanceof Long number) {
                json.field(name, number.longValue());
            } else {
                json.field(
                        name,
                        value instanceof byte[] bytes
                                ? Base64.getEncoder().encodeToString(bytes)
                                : String.valueOf(value));
            }
        });
        return json.end();
    }
}
