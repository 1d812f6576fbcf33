package io.penstock.client.engine;

import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.warning.ClientLog;
import io.penstock.client.warning.Failures;
import java.util.function.Supplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Runs a client's agent until it has ended. A daemon: it does not keep a program alive that is done. */
final class ClientThread implements Runnable {
    private static final long YIELD_COUNT = 200;
    private static final long PARK_NS_MIN = 1_000;

    private final ClientConfig config;
    private final ClientStatus status;
    private final Supplier<ClientAgent> newAgent;

    ClientThread(final ClientConfig config, final ClientStatus status, final Supplier<ClientAgent> newAgent) {
        this.config = config;
        this.status = status;
        this.newAgent = newAgent;
    }

    void start() {
        final Thread thread = new Thread(this, "penstock-client-" + config.name());
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        final ClientAgent agent;
        try {
            agent = newAgent.get();
        } catch (final Throwable e) {
            // An error too is for the thread that waits for this one.
            final ConnectionException reason = reasonOf(e);
            status.onEnd(reason);
            status.onEnded(reason);
            return;
        }
        try {
            agent.connect();
            run(agent);
        } catch (final Throwable e) {
            ClientLog.warn(config.endpoint() + ": client failed and is closed", e);
            agent.end(new ConnectionException(config.endpoint() + ": client failed: " + Failures.nameOf(e), e));
        }
    }

    private ConnectionException reasonOf(final Throwable e) {
        if (e instanceof ConnectionException known) {
            return known;
        }
        final String subject = config.endpoint() + ": cannot connect: ";
        return e instanceof IllegalArgumentException || e instanceof IllegalStateException
                ? new ConnectionException(subject + e.getMessage(), e.getCause())
                : new ConnectionException(subject + Failures.nameOf(e), e);
    }

    private void run(final ClientAgent agent) {
        if (config.backOffNsMax() > 0) {
            backOff(agent);
        } else {
            block(agent);
        }
    }

    private void backOff(final ClientAgent agent) {
        final IdleStrategy idle = new BackoffIdleStrategy(
                config.idlePollLimit(),
                YIELD_COUNT,
                Math.min(PARK_NS_MIN, config.backOffNsMax()),
                config.backOffNsMax());
        boolean hasWorked = true;
        while (!agent.isEnded()) {
            final int workCount = agent.doWork();
            if (workCount == 0 && hasWorked) {
                agent.onIdle();
            } else if (workCount == 0) {
                agent.onStillIdle();
            }
            hasWorked = workCount > 0;
            idle.idle(workCount);
        }
    }

    private void block(final ClientAgent agent) {
        int idleCount = -1;
        while (!agent.isEnded()) {
            if (agent.doWork() > 0) {
                idleCount = -1;
            } else if (idleCount < 0) {
                agent.onIdle();
                idleCount = 0;
            } else if (idleCount < config.idlePollLimit() || config.idlePollLimit() == Integer.MAX_VALUE) {
                idleCount++;
                agent.onStillIdle();
                Thread.onSpinWait();
            } else {
                agent.onIdle();
                agent.await();
            }
        }
    }
}
