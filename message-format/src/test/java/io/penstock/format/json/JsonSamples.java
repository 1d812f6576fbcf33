package io.penstock.format.json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Draws JSON messages, most of them like the one before, as on a topic, and then spoils some. */
final class JsonSamples {
    /** Among the names of members, so that they are met often. */
    static final String[] PATHS = {
        "a",
        "b",
        "a/b",
        "a/a",
        "b[0]",
        "b[2]",
        "a[1]/b",
        "a/b/a",
        "symbol",
        "symbolName",
        "aVeryLongNameIndeed/b",
        "",
        "é"
    };

    private static final String[] NAMES = {
        "\"a\"",
        "\"b\"",
        "\"\\u0061\"",
        "\"symbol\"",
        "\"symbolName\"",
        "\"aVeryLongNameIndeed\"",
        "\"aVeryLongNameIndeedAndThenSome\"",
        "\"\"",
        "\"é\"",
        "\"\\u00e9\"",
        "\"a\\\"b\"",
        "\"\\ud83d\\ude00\"",
        "\"b \""
    };
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "1",
        "-1",
        "7",
        "42",
        "1000",
        "9223372036854775807",
        "-9223372036854775808",
        "9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "123456789012345678901234567890",
        "0.0",
        "-0.0",
        "335.84",
        "0.1",
        "0.30000000000000004",
        "1e2",
        "1E+2",
        "1e-2",
        "-1.5e300",
        "1e308",
        "1e309",
        "1e-400",
        "4.9e-324",
        "2.5e-324",
        "9007199254740993.0000000000000000000000000001",
        "9007199254740993.0",
        "00",
        "01",
        "1.",
        ".5",
        "1e",
        "+1",
        "-"
    };
    private static final String[] TEXTS = {
        "",
        "x",
        "IBM",
        "1234567",
        "12345678",
        "a somewhat longer text of more than one word",
        "\\n",
        "\\\"",
        "\\\\",
        "tab\\there",
        "\\/",
        "\\u0000",
        "\\u20ac",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\ude00x",
        "\\ud83d\\ud83d\\ude00",
        "é",
        "€",
        "😀",
        "{[,:]}",
        "\\",
        "\\u12",
        "\\x",
        "\t",
        "\u007f",
        "\u2028",
        "ends in a backslash\\\\"
    };
    private static final String[] SPACES = {" ", "\n", "\r\n", "\t", "  ", "        ", "\u000b"};
    private static final String SPOILERS = "{}[]:,\"\\0e- nt\n\u00c3";
    private static final int DEPTH_MAX = 5;

    private final SplittableRandom random;
    private StringBuilder text = new StringBuilder();
    private boolean isSpaced;
    private byte[] message = {};

    JsonSamples(final long seed) {
        random = new SplittableRandom(seed);
    }

    /** The next message; it need not be valid. */
    byte[] next() {
        if (message.length == 0 || random.nextInt(8) == 0) {
            text = new StringBuilder();
            isSpaced = random.nextInt(4) == 0;
            value(random.nextInt(8) == 0 ? DEPTH_MAX : 0);
            message = text.toString().getBytes(StandardCharsets.UTF_8);
        }
        return switch (random.nextInt(4)) {
            case 0 -> spoiled(message);
            case 1 -> digitsChanged(message);
            default -> message;
        };
    }

    private void value(final int depth) {
        final int kind = depth >= DEPTH_MAX ? 2 + random.nextInt(4) : depth == 0 ? 0 : random.nextInt(6);
        switch (kind) {
            case 0 -> object(depth);
            case 1 -> array(depth);
            case 2 -> text.append(pick(NUMBERS, 6));
            case 3, 4 -> text.append('"').append(pick(TEXTS, 7)).append('"');
            default -> text.append(new String[] {"null", "true", "false"}[random.nextInt(3)]);
        }
    }

    private void object(final int depth) {
        text.append('{');
        final int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ",");
            space();
            text.append(NAMES[random.nextInt(NAMES.length)]);
            space();
            text.append(':');
            space();
            value(depth + 1);
            space();
        }
        text.append('}');
    }

    private void array(final int depth) {
        text.append('[');
        final int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ",");
            space();
            value(depth + 1);
            space();
        }
        text.append(']');
    }

    private void space() {
        if (isSpaced && random.nextInt(3) == 0) {
            text.append(pick(SPACES, 1));
        }
    }

    /** One of some texts, and only seldom one of the last, which make the message wrong. */
    private String pick(final String[] choices, final int wrongCount) {
        final int count = random.nextInt(40) == 0 ? choices.length : choices.length - wrongCount;
        return choices[random.nextInt(count)];
    }

    /** A copy in which some digits are others, which as a rule leaves it valid. */
    private byte[] digitsChanged(final byte[] original) {
        final byte[] copy = original.clone();
        for (int i = 0; i < copy.length; i++) {
            if (copy[i] >= '1' && copy[i] <= '9' && random.nextInt(4) == 0) {
                copy[i] = (byte) ('1' + random.nextInt(9));
            }
        }
        return copy;
    }

    private byte[] spoiled(final byte[] original) {
        final ByteArrayOutputStream copy = new ByteArrayOutputStream();
        final int position = random.nextInt(original.length + 1);
        copy.write(original, 0, position);
        int rest = position;
        switch (random.nextInt(5)) {
            case 0 -> rest = original.length;
            case 1 -> rest = Math.min(original.length, position + 1 + random.nextInt(3));
            case 2 -> copy.write(random.nextInt(256));
            case 3 -> {
                copy.write(SPOILERS.charAt(random.nextInt(SPOILERS.length())));
                rest = Math.min(original.length, position + random.nextInt(2));
            }
            default -> rest = Math.max(0, position - 1 - random.nextInt(8));
        }
        copy.write(original, rest, original.length - rest);
        return copy.toByteArray();
    }
}
