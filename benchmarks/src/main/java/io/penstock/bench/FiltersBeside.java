package io.penstock.bench;

/**
 * Clients that come, subscribe with one filter after the other, and leave with all of them.
 *
 * @param filterCount that there are of theirs at most.
 */
record FiltersBeside(int filterCount) implements PairedRounds.Beside {
    @Override
    public String name() {
        return "filters";
    }

    @Override
    public String figureName() {
        return "filters_per_s";
    }

    @Override
    public PairedRounds.Running start(final PenstockSubject subject) {
        return FilterLoad.start(subject.endpoint(), filterCount);
    }
}
