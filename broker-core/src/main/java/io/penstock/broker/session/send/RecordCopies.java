package io.penstock.broker.session.send;

/**
 * Copies of records, for clients that do not get them as they lie in the log. Confined to one I/O agent.
 *
 * @param headerless for those that know no headers.
 * @param cut        for those from whom fields are hidden.
 */
public record RecordCopies(HeaderlessCopies headerless, CutRecords cut) {
    /** Makes both. */
    public static RecordCopies create() {
        return new RecordCopies(new HeaderlessCopies(), new CutRecords());
    }
}
