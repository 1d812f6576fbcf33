package io.penstock.broker.shard.replica;

import io.penstock.broker.shard.order.CommandHeader;

/**
 * The last command of each origin that a shard has applied, so that one that comes again is dropped. A function of the order.
 * Owned by the sequencer.
 */
final class Origins {
    private static final int AGENT_COUNT = CommandHeader.IO_AGENT_MAX + 1;

    /** How many there are at most. */
    static final int COUNT = (CommandHeader.MEMBER_MAX + 1) * AGENT_COUNT;

    private final long[] incarnations = new long[COUNT];
    private final long[] numbers = new long[COUNT];

    /** Where an origin is. */
    static int index(final int member, final int ioAgent) {
        return member * AGENT_COUNT + ioAgent;
    }

    /** Whether a command is the next one of its origin. */
    boolean isNext(final int origin, final long incarnation, final long number) {
        if (incarnation > incarnations[origin]) {
            return number == 1;
        }
        return incarnation == incarnations[origin] && number == numbers[origin] + 1;
    }

    /** Whether a command would be the first one of a start of its node. */
    boolean isNew(final int origin, final long incarnation) {
        return incarnation > incarnations[origin];
    }

    /** A command was applied that was the next one. */
    void onApplied(final int origin, final long incarnation, final long number) {
        incarnations[origin] = incarnation;
        numbers[origin] = number;
    }
}
