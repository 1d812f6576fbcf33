package io.penstock.broker.agent;

import io.penstock.broker.query.QueryWorker;
import io.penstock.broker.session.query.QueryStarter;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Answers queries, several in turn, a block of rows of each at a time. It only reads: snapshots that sequencers have
 * opened keep the data that it reads.
 */
final class QueryAgent implements Agent {
    private final int index;
    private final ManyToOneConcurrentArrayQueue<QueryWorker> queue;
    private final ArrayList<QueryWorker> active = new ArrayList<>();
    private final Consumer<QueryWorker> onStart = active::add;
    private final BooleanSupplier housekeeping;
    private final AtomicInteger load = new AtomicInteger();

    /** @param housekeeping does slow work for sequencers, off the path of messages; true when there was some. */
    QueryAgent(final int index, final int ioAgentCount, final BooleanSupplier housekeeping) {
        this.index = index;
        this.housekeeping = housekeeping;
        queue = new ManyToOneConcurrentArrayQueue<>(ioAgentCount * QueryStarter.QUERY_COUNT_MAX * 2);
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
        for (int i = active.size() - 1; i >= 0; i--) {
            final QueryWorker worker = active.get(i);
            workCount += worker.work();
            if (worker.isDone()) {
                active.remove(i);
                load.decrementAndGet();
                workCount++;
            }
        }
        return workCount;
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
