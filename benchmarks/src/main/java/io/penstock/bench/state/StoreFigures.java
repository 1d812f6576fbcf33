package io.penstock.bench.state;

import io.penstock.bench.figure.Pace;
import io.penstock.bench.figure.SourcedFigure;
import io.penstock.standalone.console.Json;
import java.util.ArrayList;
import java.util.List;

/** Measurements of a store: each figure beside that of a plain loop. Confined to the thread that measures. */
final class StoreFigures {
    final Figure load = new Figure("load", "rows");
    final Figure lookUp = new Figure("lookup", "keys");
    final Figure scan = new Figure("scan", "rows");
    final Figure scanAfter = new Figure("scan_after_updates", "rows");
    final Figure top = new Figure("order_by_top_n", "rows");
    final Figure groups = new Figure("group_by", "rows");
    final Figure update = new Figure("update", "keys");
    final List<Pace> inCache = new ArrayList<>();
    final List<Pace> inCacheAfter = new ArrayList<>();
    final List<Pace> twoThreads = new ArrayList<>();

    /** Adds all of it. */
    void report(final Json json) {
        final double ghz = Machine.ghz();
        json.field(
                        "filter_in_cache_docs_per_s",
                        SourcedFigure.median(
                                inCache.stream().mapToDouble(Pace::perS).toArray()))
                .field(
                        "filter_in_cache_docs_per_cpu_s",
                        SourcedFigure.median(
                                inCache.stream().mapToDouble(Pace::perCpuS).toArray()))
                .field("scan_rows_per_cpu_s_per_ghz", scan.cpuPace() / ghz)
                .field("scan_ratio_to_filter_in_cache", SourcedFigure.ratio(scan.ours(), inCache, false))
                .field("scan_cpu_ratio_to_filter_in_cache", SourcedFigure.ratio(scan.ours(), inCache, true))
                .field(
                        "scan_after_updates_cpu_ratio_to_filter_in_cache",
                        SourcedFigure.ratio(scanAfter.ours(), inCacheAfter, true))
                .field(
                        "scan_two_threads_rows_per_s",
                        SourcedFigure.median(
                                twoThreads.stream().mapToDouble(Pace::perS).toArray()))
                .field("scan_two_threads_ratio", SourcedFigure.ratio(twoThreads, scan.ours(), false))
                .field("scan_two_threads_cpu_ratio", SourcedFigure.ratio(twoThreads, scan.ours(), true));
        for (final Figure figure : List.of(load, lookUp, scan, scanAfter, top, groups, update)) {
            json.object(figure.name(), figure.json());
        }
    }
}
