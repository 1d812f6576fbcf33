package io.penstock.bench;

import io.penstock.standalone.CommandFailure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the load in one round of each pair. Owned by the command's thread. */
final class BesideOptions {
    private static final int QUERY_CLIENT_COUNT_MAX = 100;
    private static final int FILTER_COUNT_MAX = 1_000_000;
    private static final int IDLE_CONNECTION_COUNT_MAX = 15_000;

    @Option(
            names = "--idle-connections",
            paramLabel = "N",
            defaultValue = "0",
            description = "Measure each round twice: alone, and with N idle clients and one that does not read.")
    private int idleConnectionCount;

    @Option(
            names = "--queries",
            paramLabel = "N",
            defaultValue = "0",
            description = "With --keys: measure each round twice: alone, and with N clients that query all the time.")
    private int queryClientCount;

    @Option(
            names = "--filters",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Measure each round twice: alone, and with clients that come with N filters, and leave with them,"
                            + " all the time.")
    private int filterCount;

    @Option(
            names = "--snapshots",
            description = "With --keys and --journal: measure each round twice: alone, and while the broker writes its "
                    + "state to files all the time.")
    private boolean isSnapshots;

    /**
     * Fails when what goes on is out of range, or cannot go with the rest.
     *
     * @param transport    of the broker.
     * @param isKeyed      whether there is state.
     * @param isJournalled whether there is a journal.
     * @param isRoundTrip  whether one message at a time is measured.
     * @param isBesidePeer whether another broker is measured too.
     */
    void check(
            final String transport,
            final boolean isKeyed,
            final boolean isJournalled,
            final boolean isRoundTrip,
            final boolean isBesidePeer) {
        checkIdleConnections(isRoundTrip || isBesidePeer || !transport.equals("tcp"));
        checkQueries(isKeyed, isRoundTrip);
        checkFilters(isRoundTrip || isBesidePeer);
        checkSnapshots(isKeyed && isJournalled, isRoundTrip);
    }

    private void checkIdleConnections(final boolean isUnfit) {
        BenchCommand.check("--idle-connections", idleConnectionCount, 0, IDLE_CONNECTION_COUNT_MAX);
        if (idleConnectionCount > 0 && isUnfit) {
            throw CommandFailure.badInput(
                    "--idle-connections: go with neither --beside, --round-trip, ipc nor inproc (leave those out)");
        }
    }

    private void checkQueries(final boolean isKeyed, final boolean isRoundTrip) {
        BenchCommand.check("--queries", queryClientCount, 0, QUERY_CLIENT_COUNT_MAX);
        if (queryClientCount > 0 && (!isKeyed || idleConnectionCount > 0 || isRoundTrip)) {
            throw CommandFailure.badInput(
                    isKeyed
                            ? "--queries: go with neither --idle-connections nor --round-trip (leave those out)"
                            : "--queries: there is no state to query (give --keys)");
        }
    }

    private void checkFilters(final boolean isUnfit) {
        BenchCommand.check("--filters", filterCount, 0, FILTER_COUNT_MAX);
        if (filterCount > 0 && (queryClientCount > 0 || idleConnectionCount > 0 || isSnapshots || isUnfit)) {
            throw CommandFailure.badInput("--filters: go with neither --queries, --idle-connections, --snapshots,"
                    + " --round-trip nor --beside (leave those out)");
        }
    }

    private void checkSnapshots(final boolean hasStateFiles, final boolean isRoundTrip) {
        if (isSnapshots && !hasStateFiles) {
            throw CommandFailure.badInput("--snapshots: there is no state to write (give --keys and --journal)");
        }
        if (isSnapshots && (queryClientCount > 0 || idleConnectionCount > 0 || isRoundTrip)) {
            throw CommandFailure.badInput(
                    "--snapshots: go with neither --queries, --idle-connections nor --round-trip (leave those out)");
        }
    }

    /** The load of the second round of each pair; null = rounds are not paired. */
    PairedRounds.@Nullable Beside beside() {
        if (queryClientCount > 0) {
            return new QueriesBeside(queryClientCount);
        }
        if (idleConnectionCount > 0) {
            return new CrowdBeside(idleConnectionCount);
        }
        if (filterCount > 0) {
            return new FiltersBeside(filterCount);
        }
        return isSnapshots ? new SnapshotsBeside() : null;
    }
}
