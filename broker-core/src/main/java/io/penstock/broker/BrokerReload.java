package io.penstock.broker;

import io.penstock.broker.ReloadReport.Change;
import io.penstock.broker.ReloadReport.Refusal;
import io.penstock.broker.concurrent.OneAtATime;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.event.EventLog;
import io.penstock.broker.security.audit.AuditClient;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.broker.security.audit.AuditTrail;
import io.penstock.file.FileErrors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BinaryOperator;

/**
 * Gives a running broker another configuration: each part that can takes its keys, or refuses them as a whole; all other
 * keys need a restart. Any thread; one wish at a time.
 */
final class BrokerReload {
    private static final int RECORDED_COUNT_MAX = 100;

    private final OneAtATime turns = new OneAtATime();
    private final List<Part> parts = new CopyOnWriteArrayList<>();
    private final AtomicReference<BrokerConfig> running;
    private final EventLog events;
    private final AuditTrail audit;

    BrokerReload(final BrokerConfig config, final EventLog events, final AuditTrail audit) {
        running = new AtomicReference<>(config);
        this.events = events;
        this.audit = audit;
    }

    /** Adds a part that has only files of its own, which it reads again each time. */
    void add(final String name, final Reloadable reloadable) {
        add(name, Set.of(), reloadable, (present, next) -> present);
    }

    /** Adds a part that has only files of its own, and says itself what they have changed. */
    void addFiles(final String name, final Taking taking) {
        parts.add(new Part(name, Set.of(), taking, (present, next) -> present));
    }

    /**
     * Adds a part.
     *
     * @param name       for people.
     * @param keys       that it takes, with all below them.
     * @param reloadable takes them.
     * @param merge      the running configuration and the next one: gives the former with these keys of the latter.
     */
    void add(
            final String name,
            final Set<String> keys,
            final Reloadable reloadable,
            final BinaryOperator<BrokerConfig> merge) {
        final Taking taking = next -> {
            final String more = reloadable.reload(next);
            return more.isEmpty() ? List.of() : List.of(new Change(name, "", more));
        };
        parts.add(new Part(name, keys, taking, merge));
    }

    /** What the broker runs with: what it was started with, and what it has taken since. */
    BrokerConfig running() {
        return Objects.requireNonNull(running.get());
    }

    /**
     * Gives the broker another configuration.
     *
     * @param next       configuration.
     * @param unreadable parts that could not be read, which keep what they have.
     */
    ReloadReport reload(final BrokerConfig next, final List<Refusal> unreadable) {
        final AtomicReference<ReloadReport> report = new AtomicReference<>(ReloadReport.NOTHING);
        turns.execute(() -> report.set(reported(checked(next, unreadable))));
        return Objects.requireNonNull(report.get());
    }

    /** What could not start takes nothing from. */
    private ReloadReport checked(final BrokerConfig next, final List<Refusal> unreadable) {
        final List<Refusal> mistakes = ConfigCheck.settings(next).stream()
                .filter(ConfigCheck.Finding::isMistake)
                .map(finding -> new Refusal(finding.key(), finding.text()))
                .toList();
        return (mistakes.isEmpty() ? taken(next, unreadable) : new ReloadReport(List.of(), List.of(), mistakes))
                .and(new ReloadReport(List.of(), List.of(), unreadable));
    }

    private ReloadReport taken(final BrokerConfig next, final List<Refusal> unreadable) {
        final Map<String, Change> changes = ConfigTexts.changes("", running(), next);
        final List<Change> applied = new ArrayList<>();
        final List<Refusal> refused = new ArrayList<>();
        for (final Part part : parts) {
            final List<Change> own =
                    changes.values().stream().filter(part::takes).toList();
            own.forEach(change -> changes.remove(change.key()));
            if (unreadable.stream().anyMatch(each -> each.what().equals(part.name))) {
                continue;
            }
            try {
                final BrokerConfig merged = part.merge.apply(running(), next);
                final List<Change> more = part.taking.take(merged);
                running.set(merged);
                applied.addAll(own);
                applied.addAll(more);
            } catch (final IOException e) {
                refused.add(new Refusal(part.name, FileErrors.reasonOf(e)));
            } catch (final RuntimeException e) {
                refused.add(new Refusal(part.name, Objects.requireNonNullElse(e.getMessage(), e.toString())));
            }
        }
        return new ReloadReport(applied, List.copyOf(changes.values()), refused);
    }

    private ReloadReport reported(final ReloadReport report) {
        record(false, report.applied());
        record(true, report.refused());
        report.applied().forEach(change -> report(EventKind.SETTING_CHANGED, change));
        report.restart().forEach(change -> report(EventKind.RESTART_NEEDED, change));
        report.refused()
                .forEach(refusal ->
                        events.report(EventKind.RELOAD_REFUSED, "what", refusal.what(), "reason", refusal.reason()));
        events.report(
                EventKind.RELOADED,
                "applied",
                report.applied().size(),
                "needRestart",
                report.restart().size(),
                "refused",
                report.refused().size());
        return report;
    }

    /** An entry for each, but not for very many. */
    private void record(final boolean isRefused, final List<?> all) {
        all.stream().limit(RECORDED_COUNT_MAX).forEach(each -> record(isRefused, 1, each.toString()));
        if (all.size() > RECORDED_COUNT_MAX) {
            record(isRefused, all.size() - RECORDED_COUNT_MAX, "others");
        }
    }

    private void record(final boolean isRefused, final long count, final String what) {
        audit.record(AuditKind.RELOADED, AuditClient.BROKER, isRefused, count, what, "");
    }

    private void report(final EventKind kind, final Change change) {
        events.report(kind, "key", change.key(), "before", change.before(), "after", change.after());
    }

    /** As {@link Reloadable}, but says what has changed value by value. */
    @FunctionalInterface
    interface Taking {
        List<Change> take(BrokerConfig next) throws IOException;
    }

    private record Part(String name, Set<String> keys, Taking taking, BinaryOperator<BrokerConfig> merge) {
        boolean takes(final Change change) {
            return keys.stream()
                    .anyMatch(key -> change.key().equals(key) || change.key().startsWith(key + "."));
        }
    }
}
