package io.penstock.admin.api;

import io.penstock.admin.http.Exchange;
import io.penstock.admin.http.Json;
import io.penstock.admin.http.ProblemException;
import io.penstock.broker.Broker;
import io.penstock.broker.monitor.Administrator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.agrona.concurrent.EpochClock;
import org.jspecify.annotations.Nullable;

/**
 * Has backups of the broker's log made, in the one configured folder: no caller gives a path. One at a time, by a thread of
 * its own. Confined to the server's thread but for that one.
 */
final class BackupApi implements AutoCloseable {
    /** So many are remembered. */
    static final int COUNT_MAX = 16;

    private final Broker broker;
    private final String directory;
    private final long bytesPerSecond;
    private final EpochClock clock;
    private final Deque<Backup> newestFirst = new ArrayDeque<>();
    private long lastId;

    /**
     * Makes none yet.
     *
     * @param broker         whose log it is.
     * @param directory      of backups; empty for none.
     * @param bytesPerSecond at most; 0 = as fast as it goes.
     * @param clock          for times.
     */
    BackupApi(final Broker broker, final String directory, final long bytesPerSecond, final EpochClock clock) {
        this.broker = broker;
        this.directory = directory;
        this.bytesPerSecond = bytesPerSecond;
        this.clock = clock;
    }

    void addTo(final Routes routes) {
        routes.add("GET", "/api/v1/log/backups", Access.READ, this::list)
                .add("POST", "/api/v1/log/backups", Access.WRITE, this::start)
                .add("GET", "/api/v1/log/backups/{id}", Access.READ, this::tell)
                .add("DELETE", "/api/v1/log/backups/{id}", Access.WRITE, this::cancel);
    }

    private synchronized void list(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Json json = Pages.begin();
        newestFirst.forEach(each -> each.write(json));
        exchange.json(200, Pages.end(json, ""));
    }

    private void start(final Exchange exchange, final Caller caller, final List<String> arguments) {
        if (exchange.request().body().length > 0) {
            throw new ProblemException(
                    400, "BAD_BODY", "body: there is nothing to choose (send none; see admin.backupDirectory)");
        }
        if (directory.isEmpty()) {
            throw new ProblemException(
                    409, "NO_BACKUPS", "backup: no folder for backups is configured (set admin.backupDirectory)");
        }
        final String journal = broker.config().journal().directory();
        if (journal.isEmpty()) {
            throw new ProblemException(
                    409, "NO_JOURNAL", "backup: the broker has no log in files (set journal.directory)");
        }
        final Backup backup = begin();
        final Administrator by = caller.administrator();
        broker.monitor().onDone(by, "begin backup " + backup.id());
        final Thread thread = new Thread(
                () -> {
                    final String outcome = backup.make(journal, directory, clock);
                    broker.monitor().onDone(by, "backup " + backup.id() + ": " + outcome);
                },
                "penstock-admin-backup");
        thread.setDaemon(true);
        thread.start();
        exchange.header("Location", "/api/v1/log/backups/" + backup.id()).json(202, backup.write(new Json()));
    }

    private synchronized Backup begin() {
        final Backup last = newestFirst.peekFirst();
        if (last != null && last.isRunning()) {
            throw new ProblemException(
                    409,
                    "BACKUP_RUNNING",
                    "backup: one is being made already: " + last.id() + " (wait for it, or cancel it)");
        }
        if (newestFirst.size() == COUNT_MAX) {
            newestFirst.removeLast();
        }
        final Backup backup =
                new Backup(++lastId, clock.time(), bytesPerSecond, broker.config().nanoClock());
        newestFirst.addFirst(backup);
        return backup;
    }

    private void tell(final Exchange exchange, final Caller caller, final List<String> arguments) {
        exchange.json(200, find(arguments.get(0)).write(new Json()));
    }

    private void cancel(final Exchange exchange, final Caller caller, final List<String> arguments) {
        final Backup backup = find(arguments.get(0));
        if (!backup.cancel()) {
            throw new ProblemException(
                    409, "NOT_RUNNING", "backup: has ended already: " + backup.id() + " (delete its folder by hand)");
        }
        broker.monitor().onDone(caller.administrator(), "cancel backup " + backup.id());
        exchange.done();
    }

    private synchronized Backup find(final String id) {
        for (final Backup each : newestFirst) {
            if (Long.toString(each.id()).equals(id)) {
                return each;
            }
        }
        throw new ProblemException(
                404, "NOT_FOUND", "backup: no such one: " + id + " (the last " + COUNT_MAX + " are remembered)");
    }

    /** Ends the one that is being made, without a backup. */
    @Override
    public synchronized void close() {
        final @Nullable Backup last = newestFirst.peekFirst();
        if (last != null) {
            last.cancel();
        }
    }
}
