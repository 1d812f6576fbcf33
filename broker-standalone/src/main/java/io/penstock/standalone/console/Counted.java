package io.penstock.standalone.console;

import java.util.Locale;

/** Numbers with what they count. */
public final class Counted {
    private Counted() {}

    /**
     * A number with its noun.
     *
     * @param count how many.
     * @param noun  of one; with an s behind it for more.
     * @return for example {@code 1 message} or {@code 1,024 messages}.
     */
    public static String of(final long count, final String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", count, noun, count == 1 ? "" : "s");
    }
}
