package io.penstock.bench.state;

import io.penstock.bench.embedded.ResidentMemory;
import io.penstock.bench.figure.Pace;
import io.penstock.bench.figure.SourcedFigure;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.ProgressLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Loads rows into a broker, and has it answer queries in turn with the plain loops in C and, if asked, DuckDB. All answers are
 * compared. Confined to the main thread.
 */
final class RowsRun implements AutoCloseable {
    private static final int TOP_N = 10;
    private static final long MEASURE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MEASURES_MAX = 1_000;
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double TOLERANCE = 1e-9;
    private static final String ROWS = "rows";

    private final RowsPlan plan;
    private final RowDocuments documents;
    private final List<RowQuery> queries;
    private final ProgressLine progress = ProgressLine.onErr();
    private final PlainRows plain;
    private final List<Double> clocks = new ArrayList<>();
    private final Map<String, Json> reports = new LinkedHashMap<>();
    private final List<SourcedFigure> figures = new ArrayList<>();
    private final SourcedFigure load = figure("load", ROWS);
    private final SourcedFigure scan = figure("scan", ROWS);

    RowsRun(final RowsPlan plan) throws IOException {
        this.plan = plan;
        documents = new RowDocuments(plan.seed());
        queries = RowQuery.list(
                Math.max(2, plan.queries().count()), plan.queries().selectivity());
        progress.draw("making arrays of " + plan.rowCount() + " rows");
        plain = PlainRows.load(plan.rowCount(), plan.seed());
    }

    /** Measures everything, and adds it. */
    void run(final Json json) throws InterruptedException {
        final RowQuery query = queries.get(0);
        try (RowBroker broker = new RowBroker(plan.rowCount(), 1)) {
            load(broker, json);
            ask(broker, query);
            change(broker, query);
        }
        if (plan.has(RowsPlan.THREADS)) {
            askOnThreads(query);
        }
        final double ghz = ghz();
        json.field("query", query.text())
                .field("matches", plain.count(query).values().get(0).longValue())
                .field("clock_ghz", ghz);
        for (final SourcedFigure figure : figures) {
            if (!figure.isEmpty()) {
                json.object(figure.name(), figure.report(ghz, new Json()));
            }
        }
        reports.forEach(json::object);
    }

    /** The clock that was measured in the rounds. */
    double ghz() {
        return SourcedFigure.median(clocks.stream().mapToDouble(ghz -> ghz).toArray());
    }

    List<SourcedFigure> figures() {
        return figures;
    }

    private void load(final RowBroker broker, final Json json) {
        progress.draw("loading " + plan.rowCount() + " rows");
        final double before = ResidentMemory.outsideHeap();
        final RowBroker.Published published = broker.publish(documents, Walk.inOrder(plan.rowCount()), 0);
        load.add(published.pace());
        final double message = (double) published.length() / plan.rowCount();
        final double all = (ResidentMemory.outsideHeap() - before) / plan.rowCount();
        json.field("message_bytes", message)
                .field("key_bytes", RowDocuments.ID_LENGTH)
                .field("bytes_per_row", all)
                .field("overhead_bytes_per_row", all - message - RowDocuments.ID_LENGTH);
    }

    private void ask(final RowBroker broker, final RowQuery query) {
        final List<RowSource> sources = new ArrayList<>(List.of(broker, plain));
        final RowsPlan.Duck duck = plan.duck();
        if (duck != null) {
            progress.draw("loading " + plan.rowCount() + " rows into DuckDB");
            sources.add(DuckRows.load(duck.jar(), plan.rowCount(), documents));
        }
        final Map<SourcedFigure, Function<RowSource, RowSource.Answer>> asked = new LinkedHashMap<>();
        if (plan.needsScan()) {
            asked.put(scan, source -> source.count(query));
        }
        if (plan.has(RowsPlan.TOGETHER)) {
            final List<RowQuery> together = queries.subList(0, plan.queries().count());
            asked.put(figure("queries_together", "evaluations"), source -> source.counts(together));
        }
        if (plan.has(RowsPlan.GROUP)) {
            asked.put(figure("group_by", ROWS), RowSource::groups);
        }
        if (plan.has(RowsPlan.TOP)) {
            asked.put(figure("order_by_top_n", ROWS), source -> source.top(TOP_N));
        }
        if (plan.isSerious()) {
            progress.draw("warming up");
            asked.values().forEach(each -> sources.forEach(source -> repeat(WARM_UP_NS, () -> each.apply(source))));
        }
        for (int round = 0; round < plan.rounds(); round++) {
            progress.draw("queries: round " + (round + 1) + " of " + plan.rounds());
            clocks.add(plain.clockGhz());
            asked.forEach((figure, each) -> measure(figure, each, sources));
            Collections.rotate(sources, 1);
        }
        sources.stream().filter(DuckRows.class::isInstance).forEach(RowSource::close);
    }

    /** Lets all sources answer, and compares what they say. */
    private void measure(
            final SourcedFigure figure,
            final Function<RowSource, RowSource.Answer> asked,
            final List<RowSource> sources) {
        final RowSource first = sources.get(0);
        RowSource.Answer expected = null;
        for (final RowSource source : sources) {
            final RowSource.Answer answer = repeat(plan.isSerious() ? MEASURE_NS : 0, () -> asked.apply(source));
            figure.add(source instanceof RowBroker ? "" : source.name(), answer.pace());
            if (expected == null) {
                expected = answer;
            }
            agree(figure.name(), first, expected, source, answer);
        }
    }

    /** Asks once, or again until it can be measured. */
    private static RowSource.Answer repeat(final long atLeastNs, final Supplier<RowSource.Answer> asked) {
        RowSource.Answer answer = asked.get();
        Pace pace = answer.pace();
        for (int i = 1; i < MEASURES_MAX && pace.wallNs() < atLeastNs; i++) {
            answer = asked.get();
            pace = pace.plus(answer.pace());
        }
        return new RowSource.Answer(answer.values(), pace);
    }

    /** Fails when two sources give different answers; means may differ in what rounding leaves. */
    static void agree(
            final String what,
            final RowSource one,
            final RowSource.Answer ofOne,
            final RowSource other,
            final RowSource.Answer ofOther) {
        final List<Double> values = ofOne.values();
        final List<Double> others = ofOther.values();
        boolean isSame = values.size() == others.size();
        for (int i = 0; isSame && i < values.size(); i++) {
            isSame = Math.abs(values.get(i) - others.get(i)) <= Math.abs(values.get(i)) * TOLERANCE;
        }
        if (!isSame) {
            throw CommandFailure.failed("bench: answers differ: " + what + ": " + one.name() + " " + shortened(values)
                    + ", " + other.name() + " " + shortened(others));
        }
    }

    private static String shortened(final List<Double> values) {
        return values.size() + " values " + values.subList(0, Math.min(TOP_N, values.size()));
    }

    private void change(final RowBroker broker, final RowQuery query) throws InterruptedException {
        final ChangingRows changing = new ChangingRows(plan, documents, broker, plain, query);
        if (plan.has(RowsPlan.UPDATES)) {
            progress.draw("updating all rows");
            final SourcedFigure update = figure("update", ROWS);
            final SourcedFigure beside = new SourcedFigure("", ROWS);
            final Json report = new Json();
            final double updatesPerS = changing.update(update, beside, report);
            report.field("updates_per_s", updatesPerS).field("updates_ratio_to_quiet", updatesPerS / update.perS());
            reports.put("scan_beside_updates", ratios(beside, report));
        }
        if (plan.has(RowsPlan.PUBLISH)) {
            progress.draw("publishing beside queries");
            final SourcedFigure beside = new SourcedFigure("", ROWS);
            reports.put("publish_beside_queries", ratios(beside, changing.publish(beside)));
        }
        if (plan.has(RowsPlan.INDEX)) {
            final IndexedMessages indexed = new IndexedMessages(broker, documents, query, plan.rowCount());
            final SourcedFigure index = figure("index", "msgs");
            indexed.publish(0);
            for (int round = 0; round < plan.rounds(); round++) {
                progress.draw("indexing: round " + (round + 1) + " of " + plan.rounds());
                index.add(indexed.publish(round + 1));
                index.add(plain.name(), plain.index(indexed.count()));
            }
        }
    }

    private Json ratios(final SourcedFigure beside, final Json json) {
        return json.field("rows_per_s", beside.perS())
                .field("rows_per_cpu_s", beside.perCpuS(""))
                .field("scan_ratio_to_quiet", beside.perS() / scan.perS())
                .field("scan_cpu_ratio_to_quiet", beside.perCpuS("") / scan.perCpuS(""));
    }

    /** The same query by several threads, in a broker that has them, and by several threads of the C program. */
    private void askOnThreads(final RowQuery query) throws InterruptedException {
        final SourcedFigure parallel = new SourcedFigure("", ROWS);
        plain.version(0);
        try (RowBroker broker = new RowBroker(plan.rowCount(), plan.queries().threadCount())) {
            progress.draw(
                    "loading " + plan.rowCount() + " rows for " + plan.queries().threadCount() + " threads");
            load.add(broker.publish(documents, Walk.inOrder(plan.rowCount()), 0).pace());
            if (plan.isSerious()) {
                repeat(WARM_UP_NS, () -> broker.count(query));
            }
            for (int round = 0; round < plan.rounds(); round++) {
                progress.draw("on threads: round " + (round + 1) + " of " + plan.rounds());
                final long atLeastNs = plan.isSerious() ? MEASURE_NS : 0;
                final RowSource.Answer ours = repeat(atLeastNs, () -> broker.count(query));
                final RowSource.Answer theirs = repeat(
                        atLeastNs, () -> plain.count(query, plan.queries().threadCount()));
                agree("on threads: " + query.text(), broker, ours, plain, theirs);
                parallel.add(ours.pace());
                parallel.add(plain.name(), theirs.pace());
            }
        }
        reports.put(
                "scan_on_threads",
                new Json()
                        .field("threads", plan.queries().threadCount())
                        .field("rows_per_s", parallel.perS())
                        .field("rows_per_cpu_s", parallel.perCpuS(""))
                        .field("ratio_to_one_thread", parallel.perS() / scan.perS())
                        .field("plain_rows_per_s", parallel.perS(plain.name()))
                        .field("plain_ratio_to_one_thread", parallel.perS(plain.name()) / scan.perS(plain.name())));
    }

    private SourcedFigure figure(final String name, final String unit) {
        final SourcedFigure figure = new SourcedFigure(name, unit);
        figures.add(figure);
        return figure;
    }

    @Override
    public void close() {
        progress.close();
        plain.close();
    }
}
