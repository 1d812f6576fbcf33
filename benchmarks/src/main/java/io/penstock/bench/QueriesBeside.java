package io.penstock.bench;

/**
 * Clients that query all records all the time.
 *
 * @param clientCount of them.
 */
record QueriesBeside(int clientCount) implements PairedRounds.Beside {
    @Override
    public String name() {
        return "queries";
    }

    @Override
    public String figureName() {
        return "queries_per_s";
    }

    @Override
    public PairedRounds.Running start(final PenstockSubject subject) {
        return QueryLoad.start(subject.endpoint(), clientCount, subject.keyCount());
    }
}
