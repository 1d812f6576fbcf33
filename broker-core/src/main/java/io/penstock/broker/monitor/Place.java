package io.penstock.broker.monitor;

/**
 * A place in the list of what clients have. Immutable.
 *
 * @param ioAgent that the client is connected to.
 * @param slot    of the client in the table of that agent.
 * @param offset  of the item among those of the client.
 */
public record Place(int ioAgent, int slot, int offset) {
    /** Where every list begins. */
    public static final Place START = new Place(0, 0, 0);

    /** Behind every item. */
    public static final Place END = new Place(-1, 0, 0);

    /** Whether nothing is there any more. */
    public boolean isEnd() {
        return ioAgent < 0;
    }

    /**
     * Reads a place.
     *
     * @param text as {@link #toString()} has written it.
     * @return the place.
     * @throws IllegalArgumentException when it is none.
     */
    public static Place parse(final String text) {
        final String[] parts = text.split("-", -1);
        if (parts.length == 3) {
            try {
                final Place place =
                        new Place(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
                if (place.ioAgent >= 0 && place.slot >= 0 && place.offset >= 0) {
                    return place;
                }
            } catch (final NumberFormatException e) {
                // Said below.
            }
        }
        throw new IllegalArgumentException("cursor: not one of an answer: " + text + " (give its next as it was)");
    }

    @Override
    public String toString() {
        return ioAgent + "-" + slot + "-" + offset;
    }
}
