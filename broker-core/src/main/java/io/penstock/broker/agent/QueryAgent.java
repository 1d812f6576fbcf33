package io.penstock.broker.agent;

import io.penstock.broker.query.QueryWorker;
import io.penstock.broker.query.block.ScanPositions;
import io.penstock.broker.session.query.QueryStarter;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries, several in turn, a block of rows of each at a time: of the same store, the same block. It only reads:
 * snapshots that sequencers have opened keep the data that it reads.
 */
final class QueryAgent implements Agent {
    private final int index;
    private final ManyToOneConcurrentArrayQueue<QueryWorker> queue;
    private final ArrayList<QueryWorker> active = new ArrayList<>();
    private final ScanPositions positions = new ScanPositions();
    private final Consumer<QueryWorker> onStart = this::onStart;
    private final BooleanSupplier housekeeping;
    private final AtomicInteger load = new AtomicInteger();
    private @Nullable ColumnKeeper columns;

    /** @param housekeeping does slow work for sequencers, off the path of messages; true when there was some. */
    QueryAgent(final int index, final int ioAgentCount, final BooleanSupplier housekeeping) {
        this.index = index;
        this.housekeeping = housekeeping;
        queue = new ManyToOneConcurrentArrayQueue<>(ioAgentCount * QueryStarter.QUERY_COUNT_MAX * 2);
    }

    /** Has it keep the columns of some shards. Called before it starts. */
    void columns(final ColumnKeeper keeper) {
        columns = keeper;
    }

    /** Takes part in a query. Called by I/O agents, which bound how many there are. */
    void start(final QueryWorker worker) {
        load.incrementAndGet();
        if (!queue.offer(worker)) {
            throw new IllegalStateException("query agent: more queries than were allowed");
        }
    }

    /** How many queries it takes part in. Called from any thread. */
    int load() {
        return load.get();
    }

    @Override
    public int doWork() {
        int workCount = queue.drain(onStart) + (housekeeping.getAsBoolean() ? 1 : 0);
        workCount += columns != null && columns.doWork() ? 1 : 0;
        // The oldest first: its snapshot is, too, and columns are brought up to one after the other.
        int i = 0;
        while (i < active.size()) {
            final QueryWorker worker = active.get(i);
            workCount += worker.work();
            if (worker.isDone()) {
                active.remove(i);
                load.decrementAndGet();
                workCount++;
            } else {
                i++;
            }
        }
        return workCount;
    }

    private void onStart(final QueryWorker worker) {
        worker.join(positions);
        active.add(worker);
    }

    /** Whether it waits for pages, so that there is work without a new query. */
    boolean isWaiting() {
        return !active.isEmpty();
    }

    @Override
    public String roleName() {
        return "query-" + index;
    }
}
