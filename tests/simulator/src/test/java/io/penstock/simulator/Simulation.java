package io.penstock.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.Broker;
import io.penstock.broker.journal.SyncPolicy;
import io.penstock.simulator.Reached.State;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** One run: what a seed makes of it, from the first start of a broker to the last check. */
final class Simulation {
    static final int OPERATION_COUNT_MIN = 2_000;
    static final int FAULT_COUNT_MIN = 5;

    private static final int STEPS_MAX = 100_000;
    private static final int SETTLE_STEPS_MAX = 5_000;
    private static final int TROUBLE_STEPS = 150;
    private static final int LONG_COUNT = 100;
    private static final long STEP_NS_MAX = 500_000;
    private static final long QUIET_STEP_NS = 2_000_000;

    private final World world;
    private final SplittableRandom random;
    private final Reached reached;
    private final Trace trace;
    private final SimDisk disk;
    private final SimNetwork network;
    private final Checks checks;
    private final Rot rot;
    private Life life = new Life();
    private @Nullable Broker broker;
    private int operationCount;
    private int faultCount;
    private int restartCount;
    private int troubleSteps;

    /** Messages to come that push the messages of a client that takes nothing out of the window. */
    private int longCount;

    private boolean isKillNext;

    /** Whether what a broker has started with is compared before more is published. */
    private boolean isCheckDue;

    Simulation(final long seed, final Plant plant) {
        world = new World(seed, plant);
        random = world.random;
        reached = world.reached;
        trace = world.trace;
        disk = world.disk;
        network = world.network;
        checks = new Checks(world);
        rot = new Rot(world, checks);
    }

    Reached reached() {
        return reached;
    }

    Trace trace() {
        return trace;
    }

    int operationCount() {
        return operationCount;
    }

    int faultCount() {
        return faultCount;
    }

    int restartCount() {
        return restartCount;
    }

    /** Runs. Throws when the broker has broken a promise. */
    void run() {
        try {
            start();
            for (int step = 0; !isEnough(); step++) {
                if (step > STEPS_MAX) {
                    throw new Violation("never comes to an end: " + operationCount + " operations");
                }
                work();
                step(random.nextLong(STEP_NS_MAX));
                if (random.nextInt(960 / world.workMax) == 0) {
                    fault();
                }
                if (isCheckDue || random.nextInt(4_000 / world.workMax) == 0) {
                    check();
                }
            }
            check();
            restartInOrder();
            check();
        } finally {
            life.end();
            close();
            SimNetwork.end();
        }
    }

    private boolean isEnough() {
        return operationCount >= OPERATION_COUNT_MIN && faultCount >= FAULT_COUNT_MIN && restartCount >= 1;
    }

    /** Lets clients do something new. */
    private void work() {
        for (int i = random.nextInt(world.workMax); i > 0; i--) {
            final Publisher publisher = world.publishers.get(random.nextInt(world.publishers.size()));
            if (longCount > 0) {
                if (publisher.publishLong()) {
                    longCount--;
                    operationCount++;
                }
                continue;
            }
            final boolean done = switch (random.nextInt(40)) {
                case 0 -> publisher.delete();
                case 1 -> publisher.publishAgain();
                case 2 -> world.querier.ask(Topics.KEYED, operationCount % 2 == 0);
                case 3 -> random.nextInt(8) == 0 ? askForPast() : publisher.publish();
                default -> publisher.publish();
            };
            operationCount += done ? 1 : 0;
        }
    }

    private boolean askForPast() {
        final Past past = checks.past();
        return past != null && world.querier.ask(past);
    }

    /** Lets time pass, the broker run once, and clients take what has come. */
    private void step(final long ns) {
        world.clock.advance(ns);
        cycle();
        if (!life.isEnded() && disk.hasFailed() && ++troubleSteps > TROUBLE_STEPS) {
            endTrouble();
        }
        if (disk.isBounded() && ++troubleSteps > TROUBLE_STEPS) {
            troubleSteps = 0;
            disk.room(Long.MAX_VALUE);
            reached.add(State.DISK_GROWN);
        }
    }

    private void cycle() {
        final Broker present = broker;
        if (present == null) {
            throw new IllegalStateException("no broker");
        }
        try {
            present.invoke();
        } catch (final SimulatedCrash e) {
            reached.add(
                    isKillNext || world.policy == SyncPolicy.OS
                            ? State.PROCESS_KILLED_IN_WRITE
                            : State.POWER_CUT_IN_WRITE);
        }
        world.logs.check();
        if (life.isEnded()) {
            crash();
        }
        for (int i = 0; i < world.clients.size(); i++) {
            world.clients.get(i).poll();
        }
        for (int i = 0; i < world.publishers.size(); i++) {
            world.publishers.get(i).sendOutstanding();
        }
        for (int i = 0; i < world.followers.size(); i++) {
            world.followers.get(i).work();
        }
        for (int i = 0; i < world.listeners.size(); i++) {
            world.listeners.get(i).work();
        }
        for (int i = 0; i < world.readers.size(); i++) {
            world.readers.get(i).work();
        }
    }

    private void fault() {
        faultCount++;
        final int choice = random.nextInt(20);
        trace.add("fault", choice, operationCount);
        switch (choice) {
            case 0, 1 -> end(false);
            case 2, 3 -> disk.crashAfter(1 + random.nextInt(60));
            case 4 -> end(true);
            case 5, 6 -> {
                isKillNext = true;
                disk.crashAfter(1 + random.nextInt(60));
            }
            case 7 -> {
                faultCount--;
                restartInOrder();
            }
            case 8 -> disk.failSyncAfter(random.nextInt(6));
            case 9 -> disk.failWriteAfter(random.nextInt(12));
            case 10, 11 -> disk.room(random.nextInt(100_000));
            case 12 -> {
                reached.add(State.SLOW_CLIENT);
                world.clients.get(random.nextInt(world.clients.size())).pause(random.nextLong(200_000_000));
            }
            case 13 -> {
                world.memoryListener.pause(random.nextLong(400_000_000));
                longCount = LONG_COUNT;
            }
            default -> network.cutAny();
        }
    }

    /** The disk has failed: all publishers are notified, and then the machine is mended and started again. */
    private void endTrouble() {
        troubleSteps = 0;
        network.calm(true);
        boolean answered = false;
        for (int i = 0; i < SETTLE_STEPS_MAX && !answered; i++) {
            world.clock.advance(QUIET_STEP_NS);
            cycle();
            answered = life.isEnded() || !disk.hasFailed();
            for (final Publisher publisher : world.publishers) {
                answered |= publisher.isAnswered();
            }
        }
        network.calm(false);
        if (!answered) {
            throw new Violation("the disk has failed, and publishers are not notified");
        }
        if (disk.hasFailed()) {
            end(random.nextInt(4) == 0);
        }
    }

    /** The process ends now, or the whole machine. */
    private void end(final boolean killed) {
        isKillNext = killed;
        life.end();
        crash();
    }

    private void crash() {
        // What the machine has not written is lost by policy then, so that only the process is killed.
        final boolean killed = isKillNext || world.policy == SyncPolicy.OS;
        isKillNext = false;
        restartCount++;
        trace.add(killed ? "process killed" : "power cut", restartCount, operationCount);
        reached.add(killed ? State.PROCESS_KILLED : State.POWER_CUT);
        network.cutAll();
        close();
        if (!killed) {
            disk.cutPower();
        }
        disk.mend();
        checks.afterEnd();
        world.betweenRuns();
        if (!killed && random.nextInt(4) == 0) {
            rot.strike();
        }
        start();
    }

    private void restartInOrder() {
        if (disk.hasFailed()) {
            end(false);
            return;
        }
        disk.mend();
        disk.room(Long.MAX_VALUE);
        trace.add("restart in order", restartCount, operationCount);
        reached.add(State.ORDERLY_RESTART);
        restartCount++;
        close();
        life.end();
        network.cutAll();
        checks.afterEnd();
        world.betweenRuns();
        start();
    }

    private void close() {
        final Broker present = broker;
        broker = null;
        if (present != null) {
            present.close();
        }
    }

    /** Starts a broker on what is there, however often that takes. */
    private void start() {
        while (broker == null) {
            life = new Life();
            if (random.nextInt(6) == 0) {
                disk.crashAfter(1 + random.nextInt(12));
            }
            checks.beforeStart();
            try {
                final Broker started = world.launch(life);
                world.onStarted(started);
                broker = started;
                trace.add("started", restartCount, disk.operationCount());
            } catch (final SimulatedCrash e) {
                crashAtStart();
            } catch (final UncheckedIOException e) {
                if (!disk.isBounded()) {
                    throw new Violation("the broker does not start: " + e.getMessage(), e);
                }
                disk.room(Long.MAX_VALUE);
            }
        }
        checks.afterStart();
        isCheckDue = random.nextInt(4) == 0;
    }

    private void crashAtStart() {
        reached.add(State.CRASH_AT_START);
        restartCount++;
        trace.add("crash at start", restartCount, 0);
        network.cutAll();
        if (world.policy != SyncPolicy.OS && random.nextBoolean()) {
            disk.cutPower();
        }
        checks.afterEnd();
    }

    /** Lets everything come to rest, and compares all that there is. */
    private void check() {
        isCheckDue = false;
        disk.mendLater();
        if (disk.hasFailed()) {
            end(false);
        }
        disk.room(Long.MAX_VALUE);
        network.calm(true);
        settle();
        checks.atRest(this::cycle);
        network.calm(false);
    }

    private void settle() {
        int quiet = 0;
        for (int i = 0; quiet < 20; i++) {
            if (i > SETTLE_STEPS_MAX) {
                throw new Violation("never comes to rest: " + restless());
            }
            world.clock.advance(QUIET_STEP_NS);
            cycle();
            quiet = isQuiet() ? quiet + 1 : 0;
        }
    }

    private boolean isQuiet() {
        boolean quiet = network.isIdle() && world.querier.isLoggedOn() && world.querier.isDone();
        for (final Publisher publisher : world.publishers) {
            quiet &= publisher.isDone();
        }
        for (final Follower follower : world.followers) {
            quiet &= follower.isWhole();
        }
        for (final Listener listener : world.listeners) {
            quiet &= listener.isSubscribed();
        }
        for (final Reader reader : world.readers) {
            quiet &= reader.isFollowing();
        }
        return quiet;
    }

    /** The clients that have something to do, in words. */
    private String restless() {
        final StringBuilder text = new StringBuilder(network.isIdle() ? "" : "the network");
        for (final Publisher publisher : world.publishers) {
            text.append(publisher.isDone() ? "" : ", " + publisher);
        }
        for (final Follower follower : world.followers) {
            text.append(follower.isWhole() ? "" : ", " + follower.name);
        }
        for (final Listener listener : world.listeners) {
            text.append(listener.isSubscribed() ? "" : ", " + listener.name);
        }
        for (final Reader reader : world.readers) {
            text.append(reader.isFollowing() ? "" : ", " + reader);
        }
        requireBroker().counters().forEach((value, id, label) -> {
            if (label.startsWith("shard-") && value != 0) {
                text.append('\n').append(label).append(' ').append(value);
            }
        });
        return text.append(world.querier.isDone() ? "" : ", " + world.querier.name)
                .append(errors(requireBroker()))
                .toString();
    }

    private Broker requireBroker() {
        final Broker present = broker;
        if (present == null) {
            throw new IllegalStateException("no broker");
        }
        return present;
    }

    /** What the broker's log of errors has. */
    static String errors(final Broker of) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        of.printErrors(new PrintStream(out, true, UTF_8));
        return out.toString(UTF_8);
    }
}
