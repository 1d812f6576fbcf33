package io.penstock.bench;

import java.io.IOException;

/**
 * Clients that do nothing, and one that does not read.
 *
 * @param connectionCount of the idle ones.
 */
record CrowdBeside(int connectionCount) implements PairedRounds.Beside {
    @Override
    public String name() {
        return "idle_connections";
    }

    @Override
    public String figureName() {
        return "idle_connections";
    }

    @Override
    public PairedRounds.Running start(final PenstockSubject subject) throws IOException {
        return Crowd.start(subject.endpoint(), connectionCount);
    }
}
