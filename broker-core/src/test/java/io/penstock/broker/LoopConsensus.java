package io.penstock.broker;

import io.penstock.broker.shard.OrderedLog;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.replica.CommandSender;
import io.penstock.broker.shard.replica.CommandSource;
import io.penstock.broker.shard.replica.Consensus;
import io.penstock.broker.shard.replica.OrderContext;
import io.penstock.broker.shard.replica.OrderedLogs;
import io.penstock.broker.shard.replica.ReplicatedLogs;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** The only one of its nodes: decides commands as they come, with the time that they come at. Safe on any thread. */
final class LoopConsensus implements Consensus, OrderedLogs {
    private static final AtomicLong INCARNATIONS = new AtomicLong();

    private final LongSupplier epochClock;
    private final long incarnation = INCARNATIONS.incrementAndGet();
    private final ConcurrentHashMap<Integer, Shard> shards = new ConcurrentHashMap<>();

    /** Whether it gives its node nothing of what is decided. */
    private volatile boolean isHeld;

    /** What was wrong, of all that it was told. */
    final List<String> wrong = new ArrayList<>();

    LoopConsensus(final LongSupplier epochClock) {
        this.epochClock = epochClock;
    }

    /** Shards that are in memory only are replicated, too, so that fewer tests need files. */
    @Override
    public @Nullable OrderedLog newLog(final OrderContext shard) {
        return new ReplicatedLogs(this)
                .newLog(new OrderContext(
                        shard.sequencer(),
                        true,
                        shard.processed(),
                        shard.createdTopics(),
                        shard.nanoClock(),
                        shard.epochClock(),
                        shard.ioAgentWakeup(),
                        shard.sequencerWakeup()));
    }

    @Override
    public int member() {
        return 1;
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public CommandSender sender(final int ioAgent, final Runnable wakeup) {
        return new Sender();
    }

    @Override
    public CommandSender tickSender(final int shard) {
        return new Sender();
    }

    @Override
    public CommandSource source(final int shard, final Runnable wakeup) {
        final Shard made = new Shard(wakeup);
        shards.put(shard, made);
        return made;
    }

    @Override
    public boolean isLeading() {
        return true;
    }

    @Override
    public void onFailed(final int shard, final Throwable reason) {
        wrong.add("shard " + shard + " has failed: " + reason);
    }

    @Override
    public void onBadCommand(final int shard, final String what) {
        wrong.add(what);
    }

    /** From now on its node lags, until it does not any more. */
    void hold(final boolean value) {
        isHeld = value;
    }

    /** Decides a command of another node. */
    void decide(final DirectBuffer buffer, final int length) {
        new Sender().offer(buffer, 0, length);
    }

    private record Decided(long timeNs, UnsafeBuffer bytes) {}

    /** The commands of one shard. */
    private final class Shard implements CommandSource {
        private final Queue<Decided> decided = new ConcurrentLinkedQueue<>();
        private final Runnable wakeup;

        Shard(final Runnable wakeup) {
            this.wakeup = wakeup;
        }

        @Override
        public int read(final Handler handler, final int limit) {
            int count = 0;
            Decided next;
            while (count < limit
                    && !isHeld
                    && (next = decided.peek()) != null
                    && handler.onCommand(next.timeNs, next.bytes, 0, next.bytes.capacity())) {
                decided.remove();
                count++;
            }
            return count;
        }
    }

    private final class Sender implements CommandSender {
        @Override
        public boolean offer(final DirectBuffer buffer, final int offset, final int length) {
            final UnsafeBuffer bytes = new UnsafeBuffer(new byte[length]);
            bytes.putBytes(0, buffer, offset, length);
            final Shard to = shards.get(CommandHeader.shard(bytes, 0));
            to.decided.add(new Decided(epochClock.getAsLong(), bytes));
            to.wakeup.run();
            return true;
        }

        @Override
        public long generation() {
            return 1;
        }

        @Override
        public int doWork() {
            return 0;
        }
    }
}
