package io.penstock.client;

/** What a message is to the subscription or the query that it came for. */
public enum RecordKind {
    /** A message as it was published, or the whole record after a change. */
    MESSAGE,
    /** A record as it was when the query looked. */
    STATE,
    /** The key and the changed fields of a record that was delivered before. */
    DELTA,
    /** The record no longer matches the filter; as it is now. */
    OOF_MATCH,
    /** The record was deleted; as it was before. */
    OOF_DELETED,
    /** The record has expired; as it was before. */
    OOF_EXPIRED;

    /**
     * Whether the record is out of focus: the subscription is no longer about it.
     *
     * @return true for the last three kinds.
     */
    public boolean isOutOfFocus() {
        return compareTo(OOF_MATCH) >= 0;
    }
}
