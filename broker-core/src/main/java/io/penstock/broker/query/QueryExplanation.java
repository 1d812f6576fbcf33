package io.penstock.broker.query;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.condition.Condition;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.query.explain.ExplanationText;
import io.penstock.broker.query.explain.PlanNode;
import io.penstock.broker.query.explain.SourceReport;
import io.penstock.broker.query.explain.WorkerReport;
import io.penstock.format.FieldSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says what a query has done. Of a topic of which the client does not see all, it says only what follows from the records that the
 * client sees, and from the query's own text.
 */
final class QueryExplanation {
    private final QueryRun run;
    private final boolean isConditionShown;

    /** By their texts: many topics have the same one. */
    private final Map<String, Condition> conditions = new HashMap<>();

    QueryExplanation(final QueryRun run, final boolean isConditionShown) {
        this.run = run;
        this.isConditionShown = isConditionShown;
    }

    String text(final long nowNs) {
        final ExplanationText text = new ExplanationText();
        final boolean isAllSeen = run.sources().stream().allMatch(QueryExplanation::isAllSeen);
        final String unit = run.workerCount() == 1 ? " worker, " : " workers, ";
        final String workers = run.workerCount() + unit;
        // How long it took says how many records there are that the client does not see.
        text.line(0, isAllSeen ? "query: " + workers + (nowNs - run.startNs()) / 1000 + " us" : "query:");
        final JoinedSource joined = run.joined();
        if (joined != null) {
            addPairs(text, joined);
        }
        for (int i = 0; i < run.sources().size() && joined == null; i++) {
            if (text.isFull()) {
                text.leaveOut(run.sources().size() - i);
                break;
            }
            final SourceReport report = new SourceReport();
            for (final QueryWorker worker : run.workers()) {
                final WorkerReport part = worker.tally.report();
                if (part != null) {
                    part.addTo(report, i);
                }
            }
            add(text, run.sources().get(i), report);
        }
        addCollecting(text);
        return text.text();
    }

    private void add(final ExplanationText text, final QuerySource source, final SourceReport report) {
        report.conditions(condition(source.condition()), condition(run.plan().filter()));
        final String name =
                source.topic().name() + " in shard " + source.topic().shard();
        if (isAllSeen(source)) {
            report.writeAll(text, name, source.count());
        } else {
            final boolean isCut = !source.hidden().paths().isEmpty();
            final String title = name + counts(source, report);
            report.writeVisible(text, title, isConditionShown, isCut ? "fields are hidden" : null);
        }
    }

    /** How far a query looks that stops when it has enough depends on the records that its client does not see. */
    private String counts(final QuerySource source, final SourceReport report) {
        if (!source.isLimited()) {
            return ": " + report.counts();
        }
        return run.plan().endsEarly() ? "" : ": " + report.matched() + " matched";
    }

    private void addPairs(final ExplanationText text, final JoinedSource joined) {
        final boolean isLimited = run.sources().stream().anyMatch(QuerySource::isLimited);
        final String looked = isLimited ? "" : "looked at " + run.topicMatches() + " records, ";
        addSide(text, run.sources().get(0), looked + "read one after the other");
        // Records that the client does not see are not in the table.
        addSide(text, run.sources().get(1), "a table of " + joined.count() + " records that may be in pairs");
        final String matched = isLimited && run.plan().endsEarly() ? "" : ", " + run.matches() + " matched";
        text.line(0, "pairs: " + joined.join().text() + matched);
        final Condition filter = condition(run.plan().filter());
        if (filter == null) {
            text.line(1, "filter: none");
        } else {
            text.line(1, "filter:");
            PlanNode.of(filter, "of pairs").write(text, 2);
        }
    }

    private void addSide(final ExplanationText text, final QuerySource source, final String what) {
        final String rows = isAllSeen(source) ? source.count() + " rows, " : "";
        text.line(0, source.topic().name() + " in shard " + source.topic().shard() + ": " + rows + what);
        final Condition hidden = condition(source.condition());
        if (hidden != null) {
            text.line(1, "before: a condition of your permissions");
            if (isConditionShown) {
                PlanNode.of(hidden, "of a join").write(text, 2);
            }
        }
    }

    private void addCollecting(final ExplanationText text) {
        final QueryPlan plan = run.plan();
        final String matched = plan.join() == null ? "records" : "pairs";
        if (plan.isAggregate()) {
            text.line(0, "groups: from " + matched + " that match, brought together at the end");
        }
        if (plan.orderBy() != null) {
            text.line(
                    0,
                    plan.isAggregate()
                            ? "order: of the groups"
                            : "order: by keys of " + matched + " that match"
                                    + (plan.topN() < 0 ? "" : ", of which the first " + plan.limit() + " are kept"));
        }
    }

    private @Nullable Condition condition(final String text) {
        return text.isEmpty()
                ? null
                : conditions.computeIfAbsent(
                        text,
                        of -> FilterCompiler.compile(of, new FieldSet(), FilterLimits.COMBINED)
                                .condition());
    }

    private static boolean isAllSeen(final QuerySource source) {
        return !source.isLimited() && source.hidden().paths().isEmpty();
    }
}
