package io.penstock.bench;

/**
 * The broker that is measured.
 *
 * @param transport {@code tcp}, {@code ipc}, {@code ipc_futex} or {@code inproc}.
 * @param threading of the broker; empty = its default.
 * @param journal   a directory for it; empty = none.
 * @param sync      of the journal: a policy; empty = its default.
 * @param snapshots whether the broker writes its state to files all the time.
 */
record BrokerPlan(String transport, String threading, String journal, String sync, boolean snapshots) {
    /** A broker with its defaults, over TCP. */
    static final BrokerPlan DEFAULT = new BrokerPlan("tcp", "", "", "", false);

    /** The same that writes its state to files all the time. */
    BrokerPlan withSnapshots() {
        return new BrokerPlan(transport, threading, journal, sync, true);
    }
}
