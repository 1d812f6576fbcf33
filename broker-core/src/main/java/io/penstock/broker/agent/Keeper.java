package io.penstock.broker.agent;

import io.penstock.broker.journal.JournalSpares;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/** Does for journals what takes long and is not urgent: makes files ahead of their need. */
final class Keeper implements Agent {
    private static final long RETRY_NS = 1_000_000_000;

    private final NanoClock clock;
    private final List<JournalSpares> spares = new ArrayList<>();
    private long retryNs;
    private boolean isRetrying;

    Keeper(final NanoClock clock) {
        this.clock = clock;
    }

    /** Adds a shard. Called before the start. */
    void add(final JournalSpares shardSpares) {
        spares.add(shardSpares);
    }

    @Override
    public int doWork() {
        final long nowNs = clock.nanoTime();
        if (isRetrying && nowNs - retryNs < 0) {
            return 0;
        }
        int workCount = 0;
        isRetrying = false;
        for (int i = 0, size = spares.size(); i < size; i++) {
            if (spares.get(i).prepare()) {
                workCount++;
            } else if (spares.get(i).problem() != null) {
                isRetrying = true;
                retryNs = nowNs + RETRY_NS;
            }
        }
        return workCount;
    }

    @Override
    public String roleName() {
        return "keeper";
    }
}
