package io.penstock.client.engine;

import org.jspecify.annotations.Nullable;

/** The commands that may wait for an answer at once. Threads take them, the agent gives them back. */
final class PendingPool {
    private final PendingCommand[] commands;
    private final FreeList<PendingCommand> free;

    PendingPool(final int limit) {
        commands = new PendingCommand[limit];
        free = new FreeList<>(limit);
        for (int i = 0; i < limit; i++) {
            commands[i] = new PendingCommand(i);
            free.give(commands[i]);
        }
    }

    /** Returns null when all wait. */
    @Nullable
    PendingCommand take() {
        return free.take();
    }

    PendingCommand at(final int index) {
        return commands[index];
    }

    void release(final PendingCommand command) {
        command.clear();
        if (command.index() != PendingCommand.NO_INDEX) {
            free.give(command);
        }
    }
}
