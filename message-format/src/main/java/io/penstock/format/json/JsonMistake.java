package io.penstock.format.json;

/**
 * A mistake in a message. While a validator runs, a position is that of the next byte, and a negative one is the
 * complement of the position of the mistake.
 */
final class JsonMistake {
    private String text = "";

    /**
     * Notes a mistake.
     *
     * @param position  of it in the message.
     * @param statement of what is wrong.
     * @return the complement of the position.
     */
    int at(final int position, final String statement) {
        text = statement;
        return ~position;
    }

    String describe(final int position, final int messageLength) {
        final String description = "json: " + text + " at byte " + position;
        return position < messageLength ? description : description + ", where the message ends";
    }
}
