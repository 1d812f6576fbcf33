package io.penstock.bench;

import io.penstock.standalone.console.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rounds in pairs: alone, and beside something that goes on all the time. */
final class PairedRounds {
    private final BenchPlan plan;
    private final Probes probes;
    private final int roundCount;

    PairedRounds(final BenchPlan plan, final Probes probes, final int roundCount) {
        this.plan = plan;
        this.probes = probes;
        this.roundCount = roundCount;
    }

    /** Measures, and adds what was measured. */
    void run(final Beside beside, final Json json) throws IOException, InterruptedException {
        final List<RoundResult> alone = new ArrayList<>();
        final List<RoundResult> accompanied = new ArrayList<>();
        final double[] figures = new double[roundCount];
        final double[] p50Ratios = new double[roundCount];
        final double[] p99Ratios = new double[roundCount];
        final double[] p999Ratios = new double[roundCount];
        for (int round = 0; round < roundCount; round++) {
            // The first of a pair has the quieter or the colder machine: take turns.
            if (round % 2 == 0) {
                alone.add(alone());
            }
            try (PenstockSubject subject = PenstockSubject.start(beside.plan(plan))) {
                subject.publishAllKeys();
                try (Running running = beside.start(subject)) {
                    accompanied.add(new Round(plan, subject, probes).run());
                    figures[round] = running.figure();
                }
            }
            if (round % 2 == 1) {
                alone.add(alone());
            }
            p50Ratios[round] = accompanied.get(round).p50Us() / alone.get(round).p50Us();
            p99Ratios[round] = accompanied.get(round).p99Us() / alone.get(round).p99Us();
            p999Ratios[round] =
                    accompanied.get(round).p999Us() / alone.get(round).p999Us();
        }
        Arrays.sort(figures);
        json.field("rounds", roundCount);
        RoundResult.median(alone).addTo(json);
        json.object(
                "with_" + beside.name(),
                RoundResult.median(accompanied).addTo(new Json().field(beside.figureName(), median(figures))));
        addRatios(json, "p50_ratio", p50Ratios);
        addRatios(json, "p99_ratio", p99Ratios);
        addRatios(json, "p999_ratio", p999Ratios);
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

    /** The load in one round of each pair. */
    interface Beside {
        /** Its name, in a word or two. */
        String name();

        /** The name of {@link Running#figure}. */
        String figureName();

        /** The plan of rounds beside it. */
        default BenchPlan plan(final BenchPlan of) {
            return of;
        }

        /** Starts it, beside a broker. */
        Running start(PenstockSubject subject) throws IOException;
    }

    /** A running load, until it is closed. */
    interface Running extends AutoCloseable {
        /** How much there was of it. Fails when it has failed. */
        double figure();

        @Override
        void close();
    }
}
