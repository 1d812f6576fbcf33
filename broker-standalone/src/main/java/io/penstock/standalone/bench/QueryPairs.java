package io.penstock.standalone.bench;

import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rounds in pairs: all keys are there and nobody asks for them, and beside clients that query them all the time. */
final class QueryPairs {
    private final BenchPlan plan;
    private final Probes probes;
    private final int queryClientCount;
    private final int roundCount;

    QueryPairs(final BenchPlan plan, final Probes probes, final int queryClientCount, final int roundCount) {
        this.plan = plan;
        this.probes = probes;
        this.queryClientCount = queryClientCount;
        this.roundCount = roundCount;
    }

    /** Measures, and adds what was measured. */
    void run(final Json json) throws IOException, InterruptedException {
        final List<RoundResult> alone = new ArrayList<>();
        final List<RoundResult> queried = new ArrayList<>();
        final double[] p50Ratios = new double[roundCount];
        final double[] p99Ratios = new double[roundCount];
        final double[] answersPerS = new double[roundCount];
        for (int round = 0; round < roundCount; round++) {
            // Whoever comes first has the quieter machine or the colder one: take turns.
            if (round % 2 == 0) {
                alone.add(alone());
            }
            try (PenstockSubject subject = PenstockSubject.start(plan)) {
                subject.publishAllKeys();
                try (QueryLoad load = QueryLoad.start(
                        subject.endpoint(), queryClientCount, plan.messages().keyCount())) {
                    queried.add(new Round(plan, subject, probes).run());
                    answersPerS[round] = load.answersPerS();
                }
            }
            if (round % 2 == 1) {
                alone.add(alone());
            }
            p50Ratios[round] = queried.get(round).p50Us() / alone.get(round).p50Us();
            p99Ratios[round] = queried.get(round).p99Us() / alone.get(round).p99Us();
        }
        Arrays.sort(answersPerS);
        json.field("rounds", roundCount);
        RoundResult.median(alone).addTo(json);
        json.object(
                "with_queries",
                RoundResult.median(queried)
                        .addTo(new Json()
                                .field("query_clients", queryClientCount)
                                .field("queries_per_s", median(answersPerS))));
        addRatios(json, "p50_ratio", p50Ratios);
        addRatios(json, "p99_ratio", p99Ratios);
    }

    private RoundResult alone() throws IOException, InterruptedException {
        try (PenstockSubject subject = PenstockSubject.start(plan)) {
            subject.publishAllKeys();
            return new Round(plan, subject, probes).run();
        }
    }

    private static void addRatios(final Json json, final String name, final double[] ratios) {
        Arrays.sort(ratios);
        json.field(name + "_median", median(ratios))
                .field(name + "_min", ratios[0])
                .field(name + "_max", ratios[ratios.length - 1]);
    }

    private static double median(final double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
