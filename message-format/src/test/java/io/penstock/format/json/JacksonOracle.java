package io.penstock.format.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.penstock.format.FieldPath;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a message is and holds according to Jackson, within our limits. */
public final class JacksonOracle {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JacksonOracle() {}

    /** Whether the bytes are strict UTF-8, Jackson reads one value and nothing behind it, and our limits hold. */
    static boolean accepts(final byte[] message) {
        final String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(message))
                    .toString();
        } catch (final CharacterCodingException e) {
            return false;
        }
        // From bytes Jackson would guess UTF-16 or skip a byte order mark.
        return accepts(() -> FACTORY.createParser(text))
                && (!isTakenForUtf8(message) || accepts(() -> FACTORY.createParser(message)));
    }

    private static boolean isTakenForUtf8(final byte[] message) {
        for (int i = 0; i < Math.min(4, message.length); i++) {
            if (message[i] == 0) {
                return false;
            }
        }
        return message.length > 0 && message[0] > 0;
    }

    private static boolean accepts(final ParserSource source) {
        try (JsonParser parser = source.open()) {
            int depth = 0;
            JsonToken token = parser.nextToken();
            if (token == null) {
                return false;
            }
            do {
                if (token.isStructStart() && ++depth > JsonFormat.DEPTH_MAX) {
                    return false;
                }
                if (token.isStructEnd()) {
                    depth--;
                }
                if (token.isNumeric() && parser.getTextLength() > JsonFormat.NUMBER_LENGTH_MAX) {
                    return false;
                }
                token = parser.nextToken();
            } while (depth > 0 && token != null);
            return token == null && depth == 0;
        } catch (final IOException e) {
            return false;
        }
    }

    private interface ParserSource {
        JsonParser open() throws IOException;
    }

    /** The message as maps, in which the first of several members of a name stays, lists, strings, numbers and null. */
    public static @Nullable Object tree(final byte[] message) {
        try (JsonParser parser = FACTORY.createParser(new String(message, StandardCharsets.UTF_8))) {
            parser.nextToken();
            return tree(parser);
        } catch (final IOException e) {
            throw new AssertionError(e);
        }
    }

    private static @Nullable Object tree(final JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> whole(parser.getText());
            case VALUE_NUMBER_INT -> integer(parser.getText());
            case VALUE_NUMBER_FLOAT -> Double.valueOf(parser.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Map<String, @Nullable Object> object(final JsonParser parser) throws IOException {
        final Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            final String name = whole(parser.currentName());
            parser.nextToken();
            final Object value = tree(parser);
            if (!members.containsKey(name)) {
                members.put(name, value);
            }
        }
        return members;
    }

    private static List<@Nullable Object> array(final JsonParser parser) throws IOException {
        final List<@Nullable Object> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(tree(parser));
        }
        return elements;
    }

    private static Object integer(final String text) {
        final BigInteger value = new BigInteger(text);
        return value.bitLength() < Long.SIZE ? (Object) value.longValue() : (Object) Double.valueOf(text);
    }

    /** With U+FFFD for each surrogate without its partner. */
    static String whole(final String text) {
        final StringBuilder whole = new StringBuilder();
        text.codePoints()
                .map(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? 0xFFFD : c)
                .forEach(whole::appendCodePoint);
        return whole.toString();
    }

    /** The value at a path as {@link FieldTexts#value} has it. */
    static String value(final @Nullable Object tree, final FieldPath path) {
        @Nullable Object value = tree;
        boolean isElement = false;
        for (final FieldPath.Step step : path.steps()) {
            if (!(value instanceof Map<?, ?> members) || !members.containsKey(step.name())) {
                return "ABSENT";
            }
            value = members.get(step.name());
            isElement = step.index() != FieldPath.Step.NO_INDEX;
            if (isElement) {
                if (!(value instanceof List<?> elements) || step.index() >= elements.size()) {
                    return "ABSENT";
                }
                value = elements.get(step.index());
            }
        }
        return text(value, isElement);
    }

    private static String text(final @Nullable Object value, final boolean isElement) {
        if (value instanceof List<?> elements && !isElement) {
            final List<String> texts = new ArrayList<>();
            for (final Object element : elements) {
                texts.add(text(element, true));
            }
            return "ARRAY " + texts;
        }
        if (value instanceof Map || value instanceof List) {
            return "OBJECT";
        }
        if (value instanceof String string) {
            return "STRING " + FieldTexts.shown(string);
        }
        if (value instanceof Boolean) {
            return "BOOLEAN " + value;
        }
        return value == null ? "NULL" : (value instanceof Long ? "LONG " : "DOUBLE ") + value;
    }
}
