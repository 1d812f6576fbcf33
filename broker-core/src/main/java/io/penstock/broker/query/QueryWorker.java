package io.penstock.broker.query;

import io.penstock.broker.query.block.RowWalk;
import io.penstock.broker.query.block.ScanPositions;
import io.penstock.broker.query.collect.QueryMemory;
import io.penstock.broker.query.join.PairReader;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One agent's part in a query: takes blocks of rows, and sends matching records, or collects them for the last worker,
 * which sends them all. Confined to its query agent; after the scan the last worker may read it.
 */
public final class QueryWorker {
    /** Rows looked at in one go, about. */
    static final int SCAN_LIMIT = 1024;

    /** Blocks whose rows are counted in one go, when none of them is looked at. */
    private static final int WHOLE_BLOCK_LIMIT = 64;

    private static final int EMIT_LIMIT = 1024;
    private static final int CHECK_INTERVAL = 16;

    /** Bytes of messages after which a scan looks at the time: of long ones it takes some for each. */
    private static final int CHECK_LENGTH = 256 * 1024;

    final ResultPages pages;
    final QueryTally tally = new QueryTally();

    private final QueryRun run;
    private final QueryPlan plan;
    private final SourceReaders readers;
    private final CollectedRecords collected;
    private final RecordOutput output;
    private final RowWalk walk;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private Phase phase = Phase.SCANNING;

    /** Of the right topic of a join, while this worker is the one that reads it. */
    private JoinedSource.@Nullable Reading joining;

    private long workCount;
    private int emitted;
    private boolean isCounted;

    /** Pairs looked at in one go. */
    private int pairCount;

    /** How far a worker is. */
    private enum Phase {
        SCANNING,
        EMITTING,
        DONE
    }

    /** @param walk of the rows that it looks at. */
    QueryWorker(final QueryRun run, final RowWalk walk, final ResultPages pages) {
        this.run = run;
        this.pages = pages;
        plan = run.plan();
        readers = new SourceReaders(run);
        collected = new CollectedRecords(plan, QueryMemory.OF_HEAP, run.bound());
        output = new RecordOutput(run, pages);
        this.walk = walk;
    }

    /**
     * Lets the worker look at blocks together with others. Called by its agent before the first work.
     *
     * @param positions of the agent's workers.
     */
    public void join(final ScanPositions positions) {
        walk.join(positions);
    }

    /**
     * Does some of the work.
     *
     * @return work done; 0 when it waits for pages, or is done.
     */
    public int work() {
        if (phase == Phase.DONE) {
            return 0;
        }
        try {
            return doWork();
        } catch (final OutOfMemoryError e) {
            giveUp(QueryFailure.NO_MEMORY);
            return 1;
        } catch (final RuntimeException | Error e) {
            giveUp(QueryFailure.BROKEN);
            throw e;
        }
    }

    /** The query fails: without this, what was found so far would count as its answer. */
    private void giveUp(final QueryFailure failure) {
        run.fail(failure);
        final boolean isOwner = phase != Phase.DONE;
        phase = Phase.DONE;
        if (isCounted) {
            return;
        }
        isCounted = true;
        try {
            if (isOwner) {
                collected.release();
                walk.leave();
                releaseColumns();
            }
        } finally {
            run.onWorkerDone();
        }
    }

    private int doWork() {
        if (run.isStopped()) {
            collected.release();
            finish();
            return 1;
        }
        if (workCount++ % CHECK_INTERVAL == 0) {
            run.check();
        }
        if (!run.use().isQueryTimeBounded()) {
            return phase == Phase.SCANNING ? scan() : emit();
        }
        final long sinceNs = run.nowNs();
        final int count = phase == Phase.SCANNING ? scan() : emit();
        run.onWorked(sinceNs);
        return count;
    }

    /**
     * Whether there is nothing left to do.
     *
     * @return true for good.
     */
    public boolean isDone() {
        return phase == Phase.DONE;
    }

    private int scan() {
        if (run.joined() != null && !run.joined().isReady()) {
            return join(run.joined());
        }
        if (walk.next() == walk.end() && !takeBlock()) {
            onScanned();
            return 1;
        }
        if (walk.next() == walk.end()) {
            return 1;
        }
        final SourceReader reader = reader(walk.source());
        final SourceScan scan = reader.scan();
        if (scan == null) {
            return scanAll(reader);
        }
        if (scan.progress() == SourceScan.Progress.READING) {
            prepare(reader, scan);
        }
        return switch (scan.progress()) {
            case READING -> 1;
            case READY -> scanFound(reader, scan);
            case NONE -> scanAll(reader);
        };
    }

    /** Reads some of the right topic of a join, or waits for the one that does. */
    private int join(final JoinedSource joined) {
        if (joining == null && joined.take()) {
            joining = joined.newReading(run.nowNs());
        }
        if (joining != null && !joining.read(SCAN_LIMIT, CHECK_LENGTH, tally)) {
            run.fail(joined.failure());
        }
        return joining == null ? 0 : 1;
    }

    /** Looks for the rows of the block by columns. If matches are only counted, they are, and not looked at any more. */
    private void prepare(final SourceReader reader, final SourceScan scan) {
        final long before = scan.rowsRead();
        scan.prepare(walk.next(), walk.end(), SCAN_LIMIT);
        tally.onPrepared(scan, before);
        if (plan.countsOnly() && scan.progress() == SourceScan.Progress.READY) {
            final int count = scan.takeMatches(walk.next(), walk.end());
            collected.addCount(reader, count);
            tally.onMatches(count);
        }
    }

    private int scanAll(final SourceReader reader) {
        final int start = walk.next();
        final int limit = Math.min(walk.end(), start + SCAN_LIMIT);
        final long lengthLimit = tally.lengthRead + CHECK_LENGTH;
        pairCount = 0;
        while (walk.next() < limit
                && tally.lengthRead < lengthLimit
                && look(reader, reader.source.row(walk.next()), false, lengthLimit)) {
            walk.next(walk.next() + 1);
        }
        return onLooked(start, lengthLimit);
    }

    private int scanFound(final SourceReader reader, final SourceScan scan) {
        final int start = walk.next();
        final int end = walk.end();
        int count = 0;
        final long lengthLimit = tally.lengthRead + CHECK_LENGTH;
        boolean hasRoom = true;
        walk.next(scan.next(start, end));
        while (walk.next() < end && count < SCAN_LIMIT && tally.lengthRead < lengthLimit && hasRoom) {
            hasRoom = look(reader, walk.next(), scan.isMatch(walk.next()), lengthLimit);
            if (hasRoom) {
                walk.next(scan.next(walk.next() + 1, end));
                count++;
            }
        }
        return onLooked(start, lengthLimit);
    }

    private int onLooked(final int start, final long lengthLimit) {
        tally.publish(walk.next() - start);
        if (tally.lengthRead >= lengthLimit) {
            run.check();
        }
        return walk.next() - start + pairCount;
    }

    /** Looks at a row; false when there is no room now for what is in it. */
    private boolean look(final SourceReader reader, final int row, final boolean isMatchKnown, final long lengthLimit) {
        final QuerySource from = reader.source;
        final long version =
                row < 0 ? 0 : from.store().versionAt(row, from.snapshot().sequence());
        if (version == 0) {
            return true;
        }
        reader.wrap(message, version);
        final PairReader pairs = reader.pairs();
        if (pairs != null) {
            return lookAtPairs(reader, pairs, version, row, lengthLimit);
        }
        tally.rowsRead += isMatchKnown ? 0 : 1;
        tally.lengthRead += message.capacity();
        if (!isMatchKnown && !reader.isVisible(message)) {
            return true;
        }
        final boolean isMatch = isMatchKnown || reader.matches(message) || (plan.isInDoubt() && reader.hasGivenUp());
        if (isMatch && !take(reader, version, row)) {
            tally.rowsRead -= isMatchKnown ? 0 : 1;
            return false;
        }
        tally.topicMatches++;
        tally.matches += isMatch ? 1 : 0;
        return true;
    }

    /** Looks at the pairs of a record; false when there is no room now, or when others have to be looked at later. */
    private boolean lookAtPairs(
            final SourceReader reader,
            final PairReader pairs,
            final long version,
            final int row,
            final long lengthLimit) {
        if (!output.isFull() && !pairs.isOpen()) {
            tally.rowsRead++;
            tally.lengthRead += message.capacity();
            if (!reader.isVisible(message)) {
                return true;
            }
            tally.topicMatches++;
            pairs.open(message);
        }
        while (!output.isFull() && pairs.hasPair()) {
            if (pairCount == SCAN_LIMIT || (pairCount > 0 && tally.lengthRead >= lengthLimit)) {
                return false;
            }
            final boolean isMatch = pairs.matches();
            if (isMatch && !take(reader, version, row)) {
                return false;
            }
            pairCount++;
            tally.lengthRead += pairs.rightLength();
            tally.matches += isMatch ? 1 : 0;
            pairs.next();
        }
        return true;
    }

    /** Takes a block, and some more after blocks in which no row has to be looked at. */
    private boolean takeBlock() {
        for (int i = 0; !output.isFull() && walk.takeBlock(); i++) {
            tally.onBlock(run, walk.source());
            final SourceScan scan = reader(walk.source()).scan();
            // While others look at the store, too, it stays with them.
            if (scan == null || !scan.collectAll(walk, tally) || i == WHOLE_BLOCK_LIMIT || !walk.isAlone()) {
                return true;
            }
        }
        return false;
    }

    /** Does with a record what the query wants. Returns false when there is no room now. */
    private boolean take(final SourceReader reader, final long version, final int row) {
        if (plan.isCollected()) {
            final PairReader pairs = reader.pairs();
            run.failIf(collected.add(reader, message, version, pairs == null ? walk.source() : pairs.right(), row));
            return true;
        }
        return output.take(reader, message, version);
    }

    private void onScanned() {
        collected.flush();
        releaseColumns();
        if (!plan.isCollected() || run.sources().isEmpty()) {
            finish();
            return;
        }
        if (!run.onScanned()) {
            finish();
            return;
        }
        // The last one: what the others have found is theirs no more.
        for (final QueryWorker other : run.workers()) {
            if (other != this) {
                run.failIf(collected.addAll(other.collected));
                other.collected.release();
            }
        }
        if (!run.isStopped()) {
            run.failIf(collected.finish(run.sources().get(0).topic().format(), run.rowLengthMax()));
        }
        emitted = Math.min(plan.skipN(), collected.count());
        phase = Phase.EMITTING;
    }

    private int emit() {
        final long last = Math.min(collected.count(), plan.limit());
        int count = 0;
        while (emitted < last && count < EMIT_LIMIT && emitNext()) {
            emitted++;
            count++;
        }
        if (emitted >= last) {
            collected.release();
            finish();
            return count + 1;
        }
        return count;
    }

    private boolean emitNext() {
        if (plan.isAggregate()) {
            return output.sendGroup(run.sources().get(0).topic(), collected.group(emitted));
        }
        final long version = collected.version(emitted);
        final SourceReader from = reader(run.joined() == null ? collected.source(emitted) : 0);
        from.wrap(message, version);
        if (from.pairs() != null) {
            from.pairs().at(message, collected.source(emitted));
        }
        return output.send(from, message, version);
    }

    /** Forgets what was collected and what has read it. Called when the run is done. */
    void release() {
        collected.release();
        joining = null;
        readers.clear();
    }

    private void finish() {
        phase = Phase.DONE;
        walk.leave();
        releaseColumns();
        if (!run.isStopped()) {
            pages.flush();
        }
        isCounted = true;
        run.onWorkerDone();
    }

    /** Rows are looked for no more: columns may give way to those of other queries. */
    private void releaseColumns() {
        tally.onScanned(readers.all());
        readers.releaseColumns();
    }

    private SourceReader reader(final int index) {
        return readers.of(index, phase == Phase.SCANNING ? collected : null);
    }
}
