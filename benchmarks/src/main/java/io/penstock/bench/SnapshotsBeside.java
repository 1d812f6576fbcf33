package io.penstock.bench;

/** A broker that writes its state to files all the time, one snapshot after the other. */
record SnapshotsBeside() implements PairedRounds.Beside {
    /** To be set so that it does. */
    static final String SETTING = "journal.snapshotIntervalMs=1";

    @Override
    public String name() {
        return "snapshots";
    }

    @Override
    public String figureName() {
        return "snapshots_per_s";
    }

    @Override
    public BenchPlan plan(final BenchPlan of) {
        return of.withSnapshots();
    }

    @Override
    public PairedRounds.Running start(final PenstockSubject subject) {
        return new Counted(subject);
    }

    /** Counts them. */
    private static final class Counted implements PairedRounds.Running {
        private final PenstockSubject subject;
        private final long startNs = System.nanoTime();
        private final double before;

        private Counted(final PenstockSubject subject) {
            this.subject = subject;
            before = subject.snapshots();
        }

        @Override
        public double figure() {
            return (subject.snapshots() - before) * 1e9 / (System.nanoTime() - startNs);
        }

        @Override
        public void close() {
            // They end with their broker.
        }
    }
}
