package io.penstock.broker.filter.syntax;

/**
 * Bounds of what one filter may cost. Text beyond the first four is refused when it is compiled.
 *
 * @param textLengthMax   in characters.
 * @param tokenCountMax   words, literals, operators and brackets of a text.
 * @param depthMax        levels of nesting of a condition.
 * @param listCountMax    items of one list, arguments of one function.
 * @param resultLengthMax in bytes, of the texts that functions build while one message is evaluated; a longer one is
 *                        NULL.
 */
public record FilterLimits(int textLengthMax, int tokenCountMax, int depthMax, int listCountMax, int resultLengthMax) {
    public static final int TEXT_LENGTH_MAX_DEFAULT = 4096;
    public static final int TOKEN_COUNT_MAX_DEFAULT = 2048;
    public static final int DEPTH_MAX_DEFAULT = 128;
    public static final int LIST_COUNT_MAX_DEFAULT = 1024;
    public static final int RESULT_LENGTH_MAX_DEFAULT = 64 * 1024;

    /** The defaults. */
    public static final FilterLimits DEFAULTS = new FilterLimits(
            TEXT_LENGTH_MAX_DEFAULT,
            TOKEN_COUNT_MAX_DEFAULT,
            DEPTH_MAX_DEFAULT,
            LIST_COUNT_MAX_DEFAULT,
            RESULT_LENGTH_MAX_DEFAULT);

    /**
     * For conditions that the broker has put together from texts that each obey the defaults: a client's filter, and those
     * of the permissions that limit it.
     */
    public static final FilterLimits COMBINED = new FilterLimits(
            64 * TEXT_LENGTH_MAX_DEFAULT,
            64 * TOKEN_COUNT_MAX_DEFAULT,
            DEPTH_MAX_DEFAULT + 8,
            LIST_COUNT_MAX_DEFAULT,
            RESULT_LENGTH_MAX_DEFAULT);

    public FilterLimits {
        requirePositive("textLengthMax", textLengthMax);
        requirePositive("tokenCountMax", tokenCountMax);
        requirePositive("depthMax", depthMax);
        requirePositive("listCountMax", listCountMax);
        requirePositive("resultLengthMax", resultLengthMax);
    }

    private static void requirePositive(final String name, final int value) {
        if (value <= 0) {
            throw new IllegalArgumentException("filter." + name + ": not positive: " + value);
        }
    }
}
