package io.penstock.bridge.service;

import io.penstock.client.PenstockClient;
import io.penstock.orb.BrokerException;
import io.penstock.orb.PageWithHeaders;
import io.penstock.orb.QueryRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The queries of a session, and their leases. Safe on any thread. */
public final class SessionQueries {
    private final BridgeService service;
    private final BrokerConnection broker;
    private final Map<Long, RunningQuery> queryById = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    SessionQueries(final BridgeService service, final BrokerConnection broker) {
        this.service = service;
        this.broker = broker;
    }

    /**
     * Begins a query of state.
     *
     * @param request what is asked.
     * @return the query.
     * @throws BrokerException when there are too many.
     */
    public long begin(final QueryRequest request) throws BrokerException {
        Requests.check(request);
        final PenstockClient connection = broker.client();
        service.acquireQuery();
        final RunningQuery query = new RunningQuery(service);
        final long id = service.newId();
        queryById.put(id, query);
        try {
            query.started(
                    connection.sowAsync(Requests.sow(request, service.config().callTimeoutMs()), query));
        } catch (final RuntimeException e) {
            close(id);
            throw Refusals.of(e);
        }
        if (isClosed) {
            close(id);
            throw BrokerConnection.hasEnded();
        }
        return id;
    }

    /**
     * Takes records.
     *
     * @param query     of this session.
     * @param max       most records.
     * @param timeoutMs longest wait.
     * @return records, and whether these were the last.
     * @throws BrokerException when there is no such query, or it has failed.
     */
    public PageWithHeaders fetch(final long query, final int max, final int timeoutMs) throws BrokerException {
        Refusals.checkMax("fetch", max);
        final RunningQuery running = running(query);
        try {
            final PageWithHeaders page = running.fetch(max, timeoutMs);
            if (page.isComplete()) {
                close(query);
            }
            return page;
        } catch (final BrokerException e) {
            close(query);
            throw e;
        }
    }

    private RunningQuery running(final long query) throws BrokerException {
        final RunningQuery running = queryById.get(query);
        if (running == null) {
            throw Refusals.unknown("query", query);
        }
        return running;
    }

    /**
     * Waits for records without a thread, likewise.
     *
     * @param query of this session.
     * @param ready notified once, by any thread, when there is something to take or it is complete; does not block.
     * @return the wait, which holds the lease.
     * @throws BrokerException when there is no such query.
     */
    public Wait await(final long query, final Runnable ready) throws BrokerException {
        return running(query).await(ready);
    }

    /**
     * Gives a query up, if it is there.
     *
     * @param query of this session.
     */
    public void close(final long query) {
        final RunningQuery running = queryById.remove(query);
        if (running != null) {
            service.rooms().releaseQuery();
            running.close();
        }
    }

    void endWhatIsOver(final long nowNs) {
        queryById.forEach((id, query) -> {
            if (query.isOver(nowNs)) {
                service.counters().add(BridgeCounter.LEASES_EXPIRED, 1);
                close(id);
            }
        });
    }

    /** Gives all up. */
    void close() {
        isClosed = true;
        queryById.keySet().forEach(this::close);
    }
}
