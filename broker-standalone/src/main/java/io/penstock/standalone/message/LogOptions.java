package io.penstock.standalone.message;

import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.PenstockException;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.input.Moment;
import io.penstock.standalone.input.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which part of the log a subscription reads, and how fast. */
final class LogOptions {
    private static final Pattern GAP = Pattern.compile("([0-9]{1,6})(ms|s)");

    @Option(
            names = "--from",
            paramLabel = "PLACE",
            description =
                    "Begin in the log: beginning, now, after a bookmark such as 0:1234 (--long prints them), or at"
                            + " a time such as 2026-05-01T09:30:00Z, -5m or 'yesterday 14:00'; then go on with new messages. A bookmark's own"
                            + " message is left out, unless --from-included is given.")
    private @Nullable String from;

    @Option(names = "--from-included", description = "With --from BOOKMARK: begin with its own message, not after it.")
    private boolean isFromIncluded;

    @Option(
            names = "--to",
            paramLabel = "PLACE",
            description = "With --from: end before this bookmark or time, or with what is there now. A bookmark's own"
                    + " message is left out, unless --to-included is given.")
    private @Nullable String to;

    @Option(names = "--to-included", description = "With --to BOOKMARK: end with its own message, not before it.")
    private boolean isToIncluded;

    @Option(names = "--exit-when-completed", description = "With --from: end with what is there now, as --to now does.")
    private boolean isToExit;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "With --from: at most so fast: 1000/s messages, 10MiB/s, or 2x the speed of publishing.")
    private @Nullable String rate;

    @Option(
            names = "--rate-max-gap",
            paramLabel = "TIME",
            description = "With --rate 2x: the longest pause between two messages, 1s or 500ms.")
    private @Nullable String rateMaxGap;

    @Option(names = "--live", description = "With --from: print new messages before they are on stable storage.")
    private boolean isLive;

    @Option(
            names = "--missing",
            paramLabel = "WHAT",
            description = "With --from BOOKMARK: when the log does not have it, fail, or begin at the beginning or now"
                    + " (default: fail).")
    private @Nullable String missing;

    /** Whether a place to begin is given. */
    boolean isGiven() {
        return from != null;
    }

    /** Whether the subscription ends by itself. */
    boolean hasEnd() {
        return to != null || isToExit;
    }

    /** Refuses options that would have no effect. */
    void check() {
        if (from == null && (hasEnd() || rate != null || isLive || missing != null || isFromIncluded || isToIncluded)) {
            throw CommandFailure.badInput("--from-included, --to, --to-included, --exit-when-completed, --rate, --live,"
                    + " --missing: are about the log (add --from)");
        }
        if (to != null && isToExit) {
            throw CommandFailure.badInput("--exit-when-completed: is --to now (leave one of them out)");
        }
        if (rateMaxGap != null && (rate == null || !rate.endsWith("x"))) {
            throw CommandFailure.badInput(
                    "--rate-max-gap: bounds pauses at a multiple of the speed of publishing (add --rate 1x)");
        }
    }

    /**
     * Narrows a request to these options.
     *
     * @return the request, unchanged but for its start when no place to begin is given: that is now.
     * @throws CommandFailure when an option is wrong.
     */
    ReplayRequest apply(final ReplayRequest whole) {
        check();
        if (from == null) {
            return whole.from(LogPlace.NOW);
        }
        ReplayRequest request = whole.from(
                from.equals("beginning")
                        ? LogPlace.BEGINNING
                        : place("--from", from, "beginning, now, ", isFromIncluded));
        if (hasEnd()) {
            request = request.to(to == null ? LogPlace.NOW : place("--to", to, "now, ", isToIncluded));
        }
        checkIncluded("--from", isFromIncluded, request.from());
        checkIncluded("--to", isToIncluded, request.to());
        if (rate != null) {
            request = request.rate(rate(rate, gap()));
        }
        if (missing != null) {
            request = request.ifMissing(missing(missing));
        }
        return isLive ? request.live() : request;
    }

    /**
     * Reads a place.
     *
     * @param option that gave it, for the refusal.
     * @param words  that it may be besides, for the refusal.
     * @throws CommandFailure when it is none.
     */
    static LogPlace place(final String option, final String text, final String words) {
        return place(option, text, words, false);
    }

    private static void checkIncluded(final String option, final boolean isIncluded, final LogPlace place) {
        if (isIncluded && place.kind() != LogPlace.Kind.BOOKMARK) {
            throw CommandFailure.badInput(option + "-included: is about the message of a bookmark (give one with "
                    + option + ", as in 0:1234)");
        }
    }

    private static LogPlace place(
            final String option, final String text, final String words, final boolean isIncluded) {
        try {
            if (text.equals("now")) {
                return LogPlace.NOW;
            }
            final Instant time = Moment.parse(text);
            if (time != null) {
                return LogPlace.time(time);
            }
            if (!text.isEmpty() && text.charAt(0) != '-') {
                final Bookmark bookmark = Bookmark.parse(text);
                return isIncluded ? LogPlace.including(bookmark) : LogPlace.bookmark(bookmark);
            }
        } catch (final ArithmeticException | PenstockException e) {
            // It is none of them.
        }
        throw CommandFailure.badInput(option + ": neither a bookmark nor a time: " + text + " (use " + words
                + "0:1234, " + Moment.EXAMPLES + ")");
    }

    private Duration gap() {
        if (rateMaxGap == null) {
            return Duration.ZERO;
        }
        final Matcher matcher = GAP.matcher(rateMaxGap);
        final long count = matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
        if (count == 0) {
            throw CommandFailure.badInput(
                    "--rate-max-gap: not a time: " + rateMaxGap + " (use for example 1s or 500ms)");
        }
        return matcher.group(2).equals("s") ? Duration.ofSeconds(count) : Duration.ofMillis(count);
    }

    private static ReplayRate rate(final String text, final Duration gap) {
        final Rate rate = Rate.parse("--rate", text, EnumSet.allOf(Rate.Kind.class));
        return switch (rate.kind()) {
            case MESSAGES -> ReplayRate.messages(Math.max(1, Math.round(rate.amount())));
            case BYTES -> ReplayRate.bytes(Math.round(rate.amount()));
            case SPEED -> ReplayRate.speed(rate.amount(), gap);
        };
    }

    private static ReplayRequest.Missing missing(final String text) {
        return switch (text) {
            case "fail" -> ReplayRequest.Missing.FAIL;
            case "beginning" -> ReplayRequest.Missing.BEGINNING;
            case "now" -> ReplayRequest.Missing.NOW;
            default -> throw CommandFailure.badInput("--missing: not known: " + text + " (use fail, beginning or now)");
        };
    }
}
