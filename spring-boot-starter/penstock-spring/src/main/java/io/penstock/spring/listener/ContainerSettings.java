package io.penstock.spring.listener;

import io.micrometer.observation.ObservationRegistry;
import io.penstock.spring.PenstockPhases;
import io.penstock.spring.observation.PenstockProcessConvention;
import io.penstock.spring.observation.PenstockReceiveConvention;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.util.backoff.BackOff;
import org.springframework.util.backoff.ExponentialBackOff;

/** How containers run. Set up before a container is made of it, by one thread; a container has a copy. */
public final class ContainerSettings {
    /** Most messages of a batch unless it is set. */
    public static final int BATCH_SIZE_DEFAULT = 256;

    private int concurrency = 1;
    private int batchSize = BATCH_SIZE_DEFAULT;
    private AckMode ackMode = AckMode.RECORD;
    private @Nullable PenstockErrorHandler errorHandler;
    private Duration shutdownTimeout = Duration.ofSeconds(10);
    private Duration idleEventInterval = Duration.ZERO;
    private BackOff recoveryBackOff = defaultRecoveryBackOff();
    private @Nullable AsyncTaskExecutor executor;
    private boolean isAutoStartup = true;
    private int phase = PenstockPhases.LISTENERS;
    private ObservationRegistry observationRegistry = ObservationRegistry.NOOP;
    private @Nullable PenstockReceiveConvention receiveConvention;
    private @Nullable PenstockProcessConvention processConvention;

    private static BackOff defaultRecoveryBackOff() {
        final ExponentialBackOff backOff = new ExponentialBackOff(1000, 2);
        backOff.setMaxInterval(30_000);
        return backOff;
    }

    /**
     * A copy that may be changed.
     *
     * @return new settings with the same values.
     */
    public ContainerSettings copy() {
        final ContainerSettings copy = new ContainerSettings();
        copy.concurrency = concurrency;
        copy.batchSize = batchSize;
        copy.ackMode = ackMode;
        copy.errorHandler = errorHandler;
        copy.shutdownTimeout = shutdownTimeout;
        copy.idleEventInterval = idleEventInterval;
        copy.recoveryBackOff = recoveryBackOff;
        copy.executor = executor;
        copy.isAutoStartup = isAutoStartup;
        copy.phase = phase;
        copy.observationRegistry = observationRegistry;
        copy.receiveConvention = receiveConvention;
        copy.processConvention = processConvention;
        return copy;
    }

    /** How many threads call the listener; messages with one key always come on the same one, in their order. */
    public int getConcurrency() {
        return concurrency;
    }

    /**
     * Sets how many threads call the listener.
     *
     * @param count 1 to 256.
     */
    public void setConcurrency(final int count) {
        if (count < 1 || count > 256) {
            throw new ListenerAttributeException("concurrency", "out of range: " + count, "use 1 to 256");
        }
        concurrency = count;
    }

    /** Most messages that a batch listener is called with. */
    public int getBatchSize() {
        return batchSize;
    }

    /**
     * Sets the most messages that a batch listener is called with.
     *
     * @param count 1 to 65536.
     */
    public void setBatchSize(final int count) {
        if (count < 1 || count > 65_536) {
            throw new ListenerAttributeException("batchSize", "out of range: " + count, "use 1 to 65536");
        }
        batchSize = count;
    }

    public AckMode getAckMode() {
        return ackMode;
    }

    /** Sets when messages count as processed. */
    public void setAckMode(final AckMode mode) {
        ackMode = mode;
    }

    /** What decides when the listener threw; null for one that retries three times and then logs. */
    public @Nullable PenstockErrorHandler getErrorHandler() {
        return errorHandler;
    }

    /** Sets what decides when the listener threw. */
    public void setErrorHandler(final @Nullable PenstockErrorHandler handler) {
        errorHandler = handler;
    }

    public Duration getShutdownTimeout() {
        return shutdownTimeout;
    }

    /** Sets how long a container that stops goes on with the messages that it holds, before it interrupts its threads. */
    public void setShutdownTimeout(final Duration timeout) {
        shutdownTimeout = timeout;
    }

    public Duration getIdleEventInterval() {
        return idleEventInterval;
    }

    /** Sets after how long without a message a {@link ContainerIdleEvent} is published, and again; zero = never. */
    public void setIdleEventInterval(final Duration interval) {
        idleEventInterval = interval;
    }

    public BackOff getRecoveryBackOff() {
        return recoveryBackOff;
    }

    /** Sets how long a container waits before it subscribes again when its subscription has ended, or the broker is away. */
    public void setRecoveryBackOff(final BackOff backOff) {
        recoveryBackOff = backOff;
    }

    public @Nullable AsyncTaskExecutor getExecutor() {
        return executor;
    }

    /**
     * Sets what gives a container the threads that call its listener. What else it does, it does on threads of its own.
     *
     * @param newExecutor has a thread for each of {@link #getConcurrency()}, for as long as the container runs; null for virtual threads where the JVM
     *                    has them, else threads of its own.
     */
    public void setExecutor(final @Nullable AsyncTaskExecutor newExecutor) {
        executor = newExecutor;
    }

    public boolean isAutoStartup() {
        return isAutoStartup;
    }

    /** Sets whether containers start with the context. */
    public void setAutoStartup(final boolean isAutomatic) {
        isAutoStartup = isAutomatic;
    }

    public int getPhase() {
        return phase;
    }

    /** Sets the phase of containers that are beans. */
    public void setPhase(final int newPhase) {
        phase = newPhase;
    }

    public ObservationRegistry getObservationRegistry() {
        return observationRegistry;
    }

    /** Sets where observations go to. */
    public void setObservationRegistry(final ObservationRegistry registry) {
        observationRegistry = registry;
    }

    public @Nullable PenstockReceiveConvention getReceiveConvention() {
        return receiveConvention;
    }

    /** Sets names and tags of receipts; null for the default. */
    public void setReceiveConvention(final @Nullable PenstockReceiveConvention convention) {
        receiveConvention = convention;
    }

    public @Nullable PenstockProcessConvention getProcessConvention() {
        return processConvention;
    }

    /** Sets names and tags of processing; null for the default. */
    public void setProcessConvention(final @Nullable PenstockProcessConvention convention) {
        processConvention = convention;
    }
}
