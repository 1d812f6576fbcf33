package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.CdrWriter;
import io.penstock.bridge.giop.SystemException;
import io.penstock.bridge.service.BridgeSession;
import io.penstock.bridge.service.Wait;
import io.penstock.orb.BrokerException;
import io.penstock.orb.PageWithHeaders;

/**
 * Records of a query.
 *
 * @param session       of the client.
 * @param query         of the session.
 * @param max           most records.
 * @param isWithHeaders whether the client is sent headers.
 */
record RecordSource(BridgeSession session, long query, int max, boolean isWithHeaders)
        implements TakingCall.Source<PageWithHeaders> {
    @Override
    public PageWithHeaders take() throws BrokerException {
        return session.queries().fetch(query, max, 0);
    }

    @Override
    public boolean isSomething(final PageWithHeaders taken) {
        return taken.records().length > 0 || taken.isComplete();
    }

    @Override
    public Wait await(final Runnable ready) throws BrokerException {
        return session.queries().await(query, ready);
    }

    @Override
    public void write(final CdrWriter out, final PageWithHeaders taken) throws SystemException {
        Values.write(out, taken, isWithHeaders);
    }

    @Override
    public BrokerException end(final PageWithHeaders taken, final SystemException reason) {
        session.queries().close(query);
        return Failures.unwritable("fetch", "the query", taken.records()[0].message(), reason);
    }
}
