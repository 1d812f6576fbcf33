package io.penstock.broker.agent;

import io.penstock.broker.concurrent.EngineWakers;
import io.penstock.broker.concurrent.Waker;
import io.penstock.broker.history.Historian;
import io.penstock.broker.history.HistoryTask;
import io.penstock.broker.query.QueryRun;
import io.penstock.broker.session.client.QueryPort;
import java.util.List;

/** The way to the query agents, and to the historian, for one I/O agent. */
final class QueryDispatch implements QueryPort {
    private final List<QueryAgent> queryAgents;
    private final Historian historian;
    private final EngineWakers wakers;
    private final Runnable wakeOwner;

    QueryDispatch(
            final List<QueryAgent> queryAgents,
            final Historian historian,
            final EngineWakers wakers,
            final Runnable wakeOwner) {
        this.queryAgents = queryAgents;
        this.historian = historian;
        this.wakers = wakers;
        this.wakeOwner = wakeOwner;
    }

    @Override
    public int agentCount() {
        return queryAgents.size();
    }

    @Override
    public void start(final QueryRun run) {
        int agent = leastLoaded();
        for (int i = 0; i < run.workerCount(); i++) {
            queryAgents.get(agent).start(run.worker(i));
            agent = agent + 1 < queryAgents.size() ? agent + 1 : 0;
        }
        wakeup();
    }

    @Override
    public boolean start(final HistoryTask task) {
        if (!historian.offer(task)) {
            return false;
        }
        wakers.historian().run();
        return true;
    }

    @Override
    public void onReleased() {
        wakers.historian().run();
    }

    private int leastLoaded() {
        int least = 0;
        for (int i = 1; i < queryAgents.size(); i++) {
            if (queryAgents.get(i).load() < queryAgents.get(least).load()) {
                least = i;
            }
        }
        return least;
    }

    @Override
    public void wakeOwner() {
        wakeOwner.run();
    }

    @Override
    public void wakeup() {
        for (final Waker waker : wakers.queryAgents()) {
            waker.run();
        }
    }
}
