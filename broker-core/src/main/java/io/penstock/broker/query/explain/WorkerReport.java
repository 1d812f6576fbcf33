package io.penstock.broker.query.explain;

import org.jspecify.annotations.Nullable;

/** What one worker of a query has done with each topic. Confined to its agent until it is done; then others may read it. */
public final class WorkerReport {
    private final @Nullable SourceReport[] sources;
    private int source = -1;
    private long looked;
    private long matched;
    private long read;
    private boolean isComplete;

    /**
     * Nothing is done so far.
     *
     * @param sourceCount topics of the query.
     */
    public WorkerReport(final int sourceCount) {
        sources = new SourceReport[sourceCount];
    }

    /**
     * Another block of rows comes, or none any more; what was counted since the last call was in the block before.
     *
     * @param next         topic of the block; negative for none.
     * @param lookedNow    records looked at, in all.
     * @param matchedNow   of these, such that matched.
     * @param readNow      records whose messages were read.
     */
    public void onBlock(final int next, final long lookedNow, final long matchedNow, final long readNow) {
        if (source >= 0) {
            of(source).onRows(lookedNow - looked, matchedNow - matched, readNow - read);
        }
        looked = lookedNow;
        matched = matchedNow;
        read = readNow;
        source = next;
        if (next >= 0) {
            of(next).onBlock();
        }
    }

    /** Whether this is the first call: from then on nothing is reported any more. */
    public boolean complete() {
        final boolean isFirst = !isComplete;
        isComplete = true;
        return isFirst;
    }

    /** The report of a topic. */
    public SourceReport of(final int index) {
        SourceReport report = sources[index];
        if (report == null) {
            report = new SourceReport();
            sources[index] = report;
        }
        return report;
    }

    /** Adds what was done with a topic to a report. */
    public void addTo(final SourceReport to, final int index) {
        final SourceReport report = sources[index];
        if (report != null) {
            to.add(report);
        }
    }
}
