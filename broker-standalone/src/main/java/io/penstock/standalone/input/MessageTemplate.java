package io.penstock.standalone.input;

import io.penstock.standalone.CommandFailure;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with placeholders in double braces, each filled in anew for each message: {@code {{Count}}}, {@code {{Time}}},
 * {@code {{TimeMs}}}, {@code {{Id}}}, {@code {{Random 1 100}}}.
 */
public final class MessageTemplate {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([^{}]{0,64})\\}\\}");
    private static final Pattern RANDOM = Pattern.compile("Random (-?[0-9]{1,9}) (-?[0-9]{1,9})");
    private static final String KNOWN =
            "{{Count}}, {{Time}}, {{TimeMs}}, {{Id}} or {{Random 1 100}}; lines of files are sent as they are";

    private static final long VERSION_CLEARED = 0xffff_ffff_ffff_0fffL;
    private static final long VERSION_RANDOM = 0x4000L;
    private static final long VARIANT_CLEARED = 0x3fff_ffff_ffff_ffffL;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final List<Piece> pieces = new ArrayList<>();
    private final Clock clock;
    private final Random random;

    /** A part of the text. */
    private interface Piece {
        String text(long count);
    }

    /**
     * Reads a template.
     *
     * @param option that gave it, for the refusal.
     * @param text   with placeholders, or none.
     * @param clock  of the times.
     * @param random source of ids and numbers.
     * @throws CommandFailure when a placeholder is not known.
     */
    public MessageTemplate(final String option, final String text, final Clock clock, final Random random) {
        this.clock = clock;
        this.random = random;
        final Matcher matcher = PLACEHOLDER.matcher(text);
        int end = 0;
        while (matcher.find()) {
            add(text.substring(end, matcher.start()));
            pieces.add(piece(option, matcher.group(1).strip()));
            end = matcher.end();
        }
        add(text.substring(end));
    }

    /**
     * Fills it in.
     *
     * @param count of the message, from 1.
     * @return the message.
     */
    public String text(final long count) {
        final StringBuilder text = new StringBuilder();
        for (final Piece piece : pieces) {
            text.append(piece.text(count));
        }
        return text.toString();
    }

    private void add(final String constant) {
        if (!constant.isEmpty()) {
            pieces.add(count -> constant);
        }
    }

    /** A UUID of version 4, which says that it is random. */
    private UUID id() {
        return new UUID(
                (random.nextLong() & VERSION_CLEARED) | VERSION_RANDOM,
                (random.nextLong() & VARIANT_CLEARED) | VARIANT);
    }

    private Piece piece(final String option, final String name) {
        final Matcher range = RANDOM.matcher(name);
        if (range.matches()) {
            final int from = Integer.parseInt(range.group(1));
            final int to = Integer.parseInt(range.group(2));
            if (from > to) {
                throw CommandFailure.badInput(
                        option + ": no number is in the range: {{" + name + "}} (give the lower one first)");
            }
            return count -> String.valueOf(from + (long) (random.nextDouble() * ((long) to - from + 1)));
        }
        return switch (name) {
            case "Count" -> String::valueOf;
            case "Time" -> count -> clock.instant().toString();
            case "TimeMs" -> count -> String.valueOf(clock.millis());
            case "Id" -> count -> id().toString();
            default ->
                throw CommandFailure.badInput(option + ": no such placeholder: {{" + name + "}} (use " + KNOWN + ")");
        };
    }
}
