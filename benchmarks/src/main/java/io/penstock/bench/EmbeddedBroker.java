package io.penstock.bench;

import com.sun.management.ThreadMXBean;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.QuotaConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.event.EventHandler;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.broker.security.IdentityQuotas;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** A broker in this process, reached through memory. Its use of resources is that of its threads. */
final class EmbeddedBroker implements PenstockSubject.BrokerHost {
    private static final String ENDPOINT = "inproc:bench";

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Broker broker;
    private final long[] brokerThreadIds;

    EmbeddedBroker(final BenchPlan plan) throws IOException {
        final BrokerConfig.Builder config =
                BrokerConfig.builder().listen(ENDPOINT).idle(plan.idle()).events(EventHandler.NONE);
        // All clients of a benchmark are one user.
        config.quotas(QuotaConfig.defaults().withPerIdentity(IdentityQuotas.UNBOUNDED));
        if (!plan.broker().threading().isEmpty()) {
            config.threading(ThreadingMode.valueOf(plan.broker().threading().toUpperCase(Locale.ROOT)));
        }
        if (!plan.broker().journal().isEmpty()) {
            final JournalConfig journal = JournalConfig.in(
                            ScratchDirectory.another(plan.broker().journal()).toString())
                    .withSync(
                            plan.broker().sync().isEmpty()
                                    ? SyncPolicy.ALWAYS
                                    : SyncPolicy.valueOf(plan.broker().sync().toUpperCase(Locale.ROOT)))
                    .withIntervalMs(1);
            config.journal(plan.broker().snapshots() ? journal.withSnapshots(0, 1) : journal);
        }
        final Set<Long> before =
                Arrays.stream(threads.getAllThreadIds()).boxed().collect(Collectors.toSet());
        broker = Broker.launch(config.build());
        brokerThreadIds = Arrays.stream(threads.getAllThreadIds())
                .filter(id -> !before.contains(id))
                .toArray();
    }

    @Override
    public String endpoint() {
        return ENDPOINT;
    }

    @Override
    public Subject.Usage usage(final double copiedBytes) {
        double cpuNs = 0;
        double allocatedBytes = 0;
        for (final long id : brokerThreadIds) {
            cpuNs += Math.max(0, threads.getThreadCpuTime(id));
            allocatedBytes += Math.max(0, threads.getThreadAllocatedBytes(id));
        }
        return new Subject.Usage(cpuNs, allocatedBytes, copiedBytes);
    }

    @Override
    public void close() {
        broker.close();
        broker.printErrors(System.err);
    }
}
