package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A scripted broker with a thread, which answers every command at once unless a test sets it otherwise. */
final class BrokerThread implements AutoCloseable {
    /** What every delete is answered with. */
    static final long DELETED_COUNT = 3;

    private static final long AWAIT_NS = 1_000_000;
    private static final int TOPIC_ID = 3;

    private enum Answer {
        IGNORE,
        HOLD
    }

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    private final ConcurrentHashMap<String, Answer> answers = new ConcurrentHashMap<>();
    private @Nullable ScriptedBroker broker;
    private final List<String> held = new ArrayList<>();
    private final CountDownLatch listening = new CountDownLatch(1);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Thread thread = new Thread(this::run, "scripted-broker");
    private volatile String endpoint;
    private volatile boolean isClosed;
    private volatile boolean isRefusingLogons;
    private volatile boolean isReadingStopped;
    private volatile String refusedCommand = "";
    private volatile ErrorCode refusalCode = ErrorCode.INTERNAL_ERROR;
    private volatile String refusalText = "";

    BrokerThread(final String listenEndpoint) {
        endpoint = listenEndpoint;
        thread.start();
        try {
            listening.await();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    String endpoint() {
        return endpoint;
    }

    void refuseLogons() {
        isRefusingLogons = true;
    }

    void refuse(final String command, final ErrorCode errorCode, final String text) {
        refusalCode = errorCode;
        refusalText = text;
        refusedCommand = command;
    }

    void ignore(final String command) {
        answers.put(command, Answer.IGNORE);
    }

    void hold(final String command) {
        answers.put(command, Answer.HOLD);
    }

    /** From the first publish on nothing is read any more. */
    void stopReading() {
        isReadingStopped = true;
    }

    /** Answers what was held back, and holds nothing back any more. */
    void releaseHeld() {
        answers.clear();
        tasks.add(() -> {});
    }

    /** Ends the present connection without an answer to what was held back, and holds nothing back any more. */
    void dropHeld() {
        tasks.add(() -> {
            answers.clear();
            held.clear();
            broker().disconnect();
        });
    }

    /** Ends the present connection. */
    void disconnect() {
        tasks.add(() -> broker().disconnect());
    }

    /** Delivers to the first subscription. */
    void deliver(final String payload) {
        tasks.add(() -> {
            broker().topic(0, TOPIC_ID, "orders");
            broker().deliver(1, TOPIC_ID, 1, payload);
        });
    }

    /** Waits for a command of a kind, those before it being of no interest. */
    String awaitCommand(final String kind) throws InterruptedException {
        String command;
        do {
            command = commands.poll(20, TimeUnit.SECONDS);
            if (command == null) {
                throw new AssertionError("no " + kind + " came");
            }
        } while (!command.startsWith(kind + " "));
        return command;
    }

    List<String> allCommands() {
        return new ArrayList<>(commands);
    }

    private ScriptedBroker broker() {
        if (broker == null) {
            throw new AssertionError("not started");
        }
        return broker;
    }

    private void run() {
        try (ScriptedBroker scripted = new ScriptedBroker(endpoint)) {
            broker = scripted;
            endpoint = scripted.endpoint();
            listening.countDown();
            while (!isClosed) {
                runTasks();
                if (scripted.poll() == 0) {
                    scripted.await(AWAIT_NS);
                }
                scripted.commands().forEach(this::onCommand);
            }
        } catch (final Throwable e) {
            failure.set(e);
            listening.countDown();
        }
    }

    private void runTasks() {
        Runnable task;
        while ((task = tasks.poll()) != null) {
            task.run();
            final List<String> released = List.copyOf(held);
            held.clear();
            released.forEach(this::answer);
        }
    }

    private void onCommand(final String command) {
        commands.add(command);
        final Answer how = answers.get(kindOf(command));
        if (how == Answer.HOLD) {
            held.add(command);
        } else if (how != Answer.IGNORE) {
            answer(command);
        }
        broker().isRefusing(isReadingStopped);
    }

    private void answer(final String command) {
        final String kind = kindOf(command);
        if (kind.equals("heartbeat")) {
            return;
        }
        final long commandId = Long.parseLong(command.split(" ", -1)[1]);
        if (kind.equals(refusedCommand)) {
            broker().error(commandId, 0, refusalCode, refusalText);
            return;
        }
        switch (kind) {
            case "logon" -> {
                if (isRefusingLogons) {
                    broker().fatal(ErrorCode.AUTHENTICATION_FAILED, "go away");
                } else {
                    broker().logonAck(commandId);
                }
            }
            case "publish" -> {
                if (!command.split(" ", -1)[3].equals("0")) {
                    broker().ack(AckType.PROCESSED, commandId);
                }
            }
            case "flush", "stat", "topics" -> broker().ack(AckType.COMPLETED, commandId);
            case "sow_delete" -> broker().ack(AckType.STATS, commandId, 0, DELETED_COUNT);
            default -> broker().ack(AckType.PROCESSED, commandId);
        }
    }

    private static String kindOf(final String command) {
        final int end = command.indexOf(' ');
        return end < 0 ? command : command.substring(0, end);
    }

    @Override
    public void close() {
        isClosed = true;
        try {
            thread.join();
        } catch (final InterruptedException e) {
            throw new AssertionError(e);
        }
        final Throwable thrown = failure.get();
        if (thrown != null) {
            throw new AssertionError("the scripted broker failed", thrown);
        }
    }
}
