package io.penstock.admin.api;

import io.penstock.admin.http.ProblemException;
import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.PenstockException;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Reads places of the log from texts. */
final class Places {
    private Places() {}

    /** A bookmark, or a time in the form of ISO 8601. */
    static LogPlace parse(final String parameter, final String text) {
        try {
            return text.indexOf('T') > 0 ? LogPlace.time(Instant.parse(text)) : LogPlace.bookmark(Bookmark.parse(text));
        } catch (final DateTimeParseException | PenstockException | ArithmeticException e) {
            throw new ProblemException(
                    400,
                    "BAD_PLACE",
                    parameter + ": neither a bookmark nor a time: " + text
                            + " (use one such as 0:1234 or 2026-01-31T12:00:00Z)");
        }
    }
}
