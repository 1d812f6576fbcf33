package io.penstock.bench;

import io.penstock.broker.IdleMode;
import io.penstock.standalone.CommandFailure;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how the broker runs that is measured. Owned by the command's thread. */
final class BrokerOptions {
    @Option(
            names = "--transport",
            paramLabel = "NAME",
            defaultValue = "tcp",
            description = "tcp, ipc, ipc_futex, whose ends wait by futexes, or inproc (default: tcp).")
    private String transport;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = "blocking",
            description = "Broker and clients without work: blocking, back_off or busy (default: blocking).")
    private IdleMode idle;

    @Option(
            names = "--threading",
            paramLabel = "MODE",
            defaultValue = "",
            description = "Of the broker: shared or dedicated.")
    private String threading;

    @Option(
            names = "--journal",
            paramLabel = "DIR",
            description = "The broker writes what is published to files in a new directory in this one.")
    private @Nullable Path journal;

    @Option(
            names = "--sync",
            paramLabel = "POLICY",
            defaultValue = "",
            description = "With --journal: always, interval (of 1 ms), or os (default: always).")
    private String sync;

    String transport() {
        return transport;
    }

    IdleMode idle() {
        return idle;
    }

    /** Empty = its default. */
    String threading() {
        return threading;
    }

    /** Where the directory of its journal is made; null = it has none. */
    @Nullable
    Path journal() {
        return journal;
    }

    /** The journal's sync policy; empty = its default. */
    String sync() {
        return sync;
    }

    /** Fails when the journal cannot be synced as is said. */
    void checkJournal() {
        if (journal == null && !sync.isEmpty()) {
            throw CommandFailure.badInput("--sync: there is no journal (give --journal too, or leave this out)");
        }
        if (!List.of("", "always", "interval", "os").contains(sync)) {
            throw CommandFailure.badInput("--sync: no such choice: " + sync + " (use always, interval or os)");
        }
    }

    /** Fails when there is no such transport or threading. */
    void check() {
        if (!List.of("tcp", "ipc", "ipc_futex", "inproc").contains(transport)) {
            throw CommandFailure.badInput(
                    "--transport: no such choice: " + transport + " (use tcp, ipc, ipc_futex or inproc)");
        }
        if (!List.of("", "shared", "dedicated").contains(threading)) {
            throw CommandFailure.badInput("--threading: no such choice: " + threading + " (use shared or dedicated)");
        }
    }
}
