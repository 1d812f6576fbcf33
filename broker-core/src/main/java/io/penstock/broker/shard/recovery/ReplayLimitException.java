package io.penstock.broker.shard.recovery;

/** A shard's files are undamaged, but this broker's configuration has no room for their content. */
final class ReplayLimitException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final String remedy;

    ReplayLimitException(final String reason, final String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    /** There is no memory for a record. */
    static ReplayLimitException noRoom() {
        return new ReplayLimitException(StateReplay.NO_ROOM, "raise it");
    }

    /** The same, naming the place. */
    ReplayLimitException at(final int shard, final String place) {
        return new ReplayLimitException(
                "journal: shard " + shard + ": " + place + ": " + getMessage() + " (" + remedy + ")", remedy);
    }
}
