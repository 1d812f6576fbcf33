package io.penstock.faults;

/**
 * What became of messages.
 *
 * @param acknowledged as persisted.
 * @param recovered    found after the fault, acknowledged or not.
 * @param lost         acknowledged and not found, or missing before one that was found.
 * @param duplicated   found more than once.
 */
record Tally(long acknowledged, long recovered, long lost, long duplicated) {
    static final Tally NONE = new Tally(0, 0, 0, 0);

    boolean isGood() {
        return lost == 0 && duplicated == 0;
    }

    Tally plus(final Tally other) {
        return new Tally(
                acknowledged + other.acknowledged,
                recovered + other.recovered,
                lost + other.lost,
                duplicated + other.duplicated);
    }

    @Override
    public String toString() {
        return String.format(
                "acknowledged %,d, recovered %,d, lost %,d, duplicated %,d", acknowledged, recovered, lost, duplicated);
    }
}
