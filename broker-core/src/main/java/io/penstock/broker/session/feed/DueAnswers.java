package io.penstock.broker.session.feed;

/** Answers that are still due to the client of a subscription. Confined to the client's I/O agent. */
public final class DueAnswers {
    private long completedCommandId;
    private long stateCommandId;
    private int stateAckTypes;
    private boolean isBeginning;

    /** The command whose completed acknowledgement is still due; 0 for none. */
    public long completedCommandId() {
        return completedCommandId;
    }

    /** The same, from now on. */
    public void completedCommandId(final long value) {
        completedCommandId = value;
    }

    /** The command that the subscription's state is the answer to, until that was sent; 0 for none. */
    public long stateCommandId() {
        return stateCommandId;
    }

    /** The acknowledgements that the command asked for, due once the state was sent. */
    public int stateAckTypes() {
        return stateAckTypes;
    }

    /** Whether its client has still to be told where it begins in the log. */
    public boolean isBeginning() {
        return isBeginning;
    }

    /** The same, from now on. */
    public void isBeginning(final boolean value) {
        isBeginning = value;
    }

    /** A command is answered by the subscription's state; 0 for none, from now on. */
    public void state(final long commandId, final int ackTypes) {
        stateCommandId = commandId;
        stateAckTypes = ackTypes;
    }
}
