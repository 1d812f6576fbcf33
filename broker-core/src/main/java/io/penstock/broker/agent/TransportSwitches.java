package io.penstock.broker.agent;

import io.penstock.broker.concurrent.IoNotice;
import io.penstock.broker.monitor.MonitorRequest;
import io.penstock.broker.monitor.TransportInfo;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The transports of an I/O agent, as administrators see them. Confined to that agent, once it has started. */
final class TransportSwitches {
    private final List<TransportSwitch> all = new ArrayList<>();

    /** Adds the transport of a scheme, which takes connections. */
    TransportSwitch add(final String scheme) {
        final TransportSwitch added = new TransportSwitch(scheme);
        all.add(added);
        return added;
    }

    /** A transport listens on an endpoint. */
    void onListening(final URI endpoint) {
        for (final TransportSwitch each : all) {
            if (each.scheme().equals(endpoint.getScheme())) {
                each.onListening(endpoint);
            }
        }
    }

    /** Answers a request about transports. Returns false when the notice is none. */
    boolean onNotice(final int ioAgent, final IoNotice notice) {
        if (notice instanceof MonitorRequest.Transports request) {
            final List<TransportInfo> infos = new ArrayList<>();
            all.forEach(each -> infos.add(each.info(ioAgent)));
            request.answer().complete(infos);
            return true;
        }
        if (notice instanceof MonitorRequest.Enable request) {
            boolean isKnown = false;
            for (final TransportSwitch each : all) {
                if (each.scheme().equals(request.scheme())) {
                    each.isEnabled(request.enabled());
                    isKnown = true;
                }
            }
            if (isKnown) {
                request.report().onDone();
            }
            request.answer().complete(isKnown);
            return true;
        }
        return false;
    }
}
