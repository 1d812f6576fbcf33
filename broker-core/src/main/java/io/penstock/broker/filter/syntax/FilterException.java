package io.penstock.broker.filter.syntax;

/**
 * Refuses the text of a filter, with the position where it went wrong and what was expected there:
 * {@code filter: expected a value at 9: price > AND}.
 */
public final class FilterException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int position;

    FilterException(final String message, final int position) {
        super(message);
        this.position = position;
    }

    /**
     * Where the text went wrong.
     *
     * @return position in characters, the first being 1.
     */
    public int position() {
        return position;
    }
}
