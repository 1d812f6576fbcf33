package io.penstock.standalone.input;

import io.penstock.standalone.CommandFailure;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How fast something goes, in the one spelling of all commands: {@code 1000/s} messages, {@code 10MiB/s}, or {@code 2x} the
 * speed at which it was published.
 *
 * @param kind   of rate.
 * @param amount messages or bytes a second, or how many times as fast; above 0.
 */
public record Rate(Kind kind, double amount) {
    private static final Pattern TEXT = Pattern.compile("(?<messages>[0-9]{1,9}(\\.[0-9]{1,3})?)/s"
            + "|(?<bytes>[0-9]{1,9})(?<unit>B|KiB|MiB|GiB)/s|(?<speed>[0-9]{1,6}(\\.[0-9]{1,3})?)x");

    /** What is counted. */
    public enum Kind {
        /** Messages a second. */
        MESSAGES("1000/s"),
        /** Bytes of messages a second. */
        BYTES("10MiB/s"),
        /** A multiple of the speed of publishing. */
        SPEED("2x");

        private final String example;

        Kind(final String example) {
            this.example = example;
        }
    }

    /**
     * Reads a rate.
     *
     * @param option that gave it, for the refusal.
     * @param text   as the user gave it.
     * @param kinds  that make sense there.
     * @return the rate.
     * @throws CommandFailure when it is none, or none of these.
     */
    public static Rate parse(final String option, final String text, final Set<Kind> kinds) {
        final Matcher matcher = TEXT.matcher(text);
        if (matcher.matches()) {
            final Rate rate = rate(matcher);
            if (rate.amount > 0 && kinds.contains(rate.kind)) {
                return rate;
            }
        }
        throw CommandFailure.badInput(option + ": not a rate: " + text + " (use for example "
                + kinds.stream().sorted().map(kind -> kind.example).collect(Collectors.joining(" or ")) + ")");
    }

    private static Rate rate(final Matcher matcher) {
        if (matcher.group("messages") != null) {
            return new Rate(Kind.MESSAGES, Double.parseDouble(matcher.group("messages")));
        }
        if (matcher.group("bytes") != null) {
            return new Rate(Kind.BYTES, Double.parseDouble(matcher.group("bytes")) * unit(matcher.group("unit")));
        }
        return new Rate(Kind.SPEED, Double.parseDouble(matcher.group("speed")));
    }

    private static long unit(final String name) {
        return switch (name) {
            case "B" -> 1;
            case "KiB" -> 1L << 10;
            case "MiB" -> 1L << 20;
            default -> 1L << 30;
        };
    }
}
