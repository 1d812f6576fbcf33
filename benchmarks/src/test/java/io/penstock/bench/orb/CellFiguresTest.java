package io.penstock.bench.orb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CellFiguresTest {
    private static final Cell CELL = new Cell(Cell.ECHO, 10, 1 << 10);

    @Test
    void shouldCompareRoundsInPairs() {
        final CellFigures plain = figures(Kind.PLAIN, null, 100, 200, 400, 100, 100);
        final CellFigures rmi = figures(Kind.RMI, plain, 150, 100, 400, 90, 130);

        // 1.5, 0.5, 1.0, 0.9, 1.3
        assertThat(rmi.ratio()).isEqualTo(1.0, within(1e-9));
        assertThat(rmi.ratioBest()).isEqualTo(1.3, within(1e-9));
        assertThat(rmi.median(Measured::callsPerS)).isEqualTo(130);
        assertThat(plain.ratio()).isNaN();
    }

    @Test
    void shouldCompareTails() {
        final CellFigures plain = new CellFigures(CELL, Kind.PLAIN.id(), null);
        final CellFigures pooled = new CellFigures(CELL, Kind.RMI_POOLED.id(), plain);
        plain.add(new Measured(1, 1, new Measured.CallTimes(10, 100, 100), 1, 1, 0, 0));
        pooled.add(new Measured(1, 1, new Measured.CallTimes(10, 25, 30), 1, 1, 0, 0));

        assertThat(pooled.p99Ratio()).isEqualTo(0.25, within(1e-9));
    }

    @Test
    void shouldHaveNoRatioWhenEitherHasFailed() {
        final CellFigures plain = figures(Kind.PLAIN, null, 100);
        final CellFigures rmi = figures(Kind.RMI, plain, 100);
        plain.fail("out of memory");

        assertThat(rmi.ratio()).isNaN();
        assertThat(rmi.median(Measured::callsPerS)).isEqualTo(100);
        assertThat(plain.median(Measured::callsPerS)).isNaN();
        assertThat(CellLine.row(plain)).endsWith("failed: out of memory");
        assertThat(CellLine.json(plain)).contains("\"failure\":\"out of memory\"");
        assertThat(CellLine.json(rmi)).contains("\"ratio\":null");
    }

    @Test
    void shouldTakeTheFourthOfFiveAsTheBestQuartile() {
        assertThat(CellFigures.quantile(new double[] {5, 1, 4, 2, 3}, 0.75)).isEqualTo(4);
        assertThat(CellFigures.quantile(new double[] {7}, 0.75)).isEqualTo(7);
        assertThat(CellFigures.quantile(new double[0], 0.5)).isNaN();
    }

    @Test
    void shouldKeepColumnsInPlace() {
        final CellFigures plain = figures(Kind.PLAIN, null, 123_456.7);

        assertThat(CellLine.header().indexOf("CALLS/S") + "CALLS/S".length())
                .isEqualTo(CellLine.row(plain).indexOf("123457") + "123457".length());
    }

    @Test
    void shouldFailWhenMoreThanOneInAHundredCallsFailed() {
        assertThat(judged(1, 99, 100).failure()).isNull();
        assertThat(judged(3, 97, 100).failure()).isEqualTo("3 of 200 calls failed");
    }

    @Test
    void shouldKeepTheFirstReasonWhenItIsJudged() {
        final CellFigures figures = figures(Kind.PLAIN, null, 100);
        figures.fail("a process has ended");
        figures.judge();
        assertThat(figures.failure()).isEqualTo("a process has ended");
    }

    @Test
    void shouldReportTheLongestCallAndThreadsThatWereLate() {
        final CellFigures figures = figures(Kind.PLAIN, null, 100);
        figures.add(new Measured(100, 100, new Measured.CallTimes(10, 20, 5_000), 1, 2, 0, 7));
        figures.add(new Measured(100, 100, new Measured.CallTimes(10, 20, 40), 1, 2, 0, 3));

        assertThat(CellLine.json(figures)).contains("\"max_us\":5000,", "\"late_threads\":7");
    }

    @Test
    void shouldTakeWhatCallersSaid() throws MeasureFailure {
        final Measured measured =
                CalledServer.measured("50 500000000 1.5 2.5 70.5 3 2 out of luck".split(" ", 8), 4, 5);

        assertThat(measured).isEqualTo(new Measured(100, 50, new Measured.CallTimes(1.5, 2.5, 70.5), 4, 5, 3, 2));
    }

    @Test
    void shouldFailAtOnceWhenNoCallEnded() {
        assertThatThrownBy(() -> CalledServer.measured("0 500000000 0 0 0 0 10 ".split(" ", 8), 4, 5))
                .isInstanceOfSatisfying(
                        MeasureFailure.class, e -> assertThat(e.reason()).isEqualTo("no call ended, 0 failed"));
        assertThatThrownBy(() -> CalledServer.measured("0 500000000 0 0 0 6 10 out of luck".split(" ", 8), 4, 5))
                .isInstanceOfSatisfying(
                        MeasureFailure.class,
                        e -> assertThat(e.reason()).isEqualTo("no call ended, 6 failed: out of luck"));
    }

    private static CellFigures judged(final long failedCount, final long... callCounts) {
        final CellFigures figures = new CellFigures(CELL, Kind.PLAIN.id(), null);
        for (final long each : callCounts) {
            figures.add(new Measured(
                    each, each, new Measured.CallTimes(10, 20, 30), 1, 2, each == callCounts[0] ? failedCount : 0, 0));
        }
        figures.judge();
        return figures;
    }

    static CellFigures figures(final Kind kind, final @Nullable CellFigures beside, final double... callsPerS) {
        final CellFigures figures = new CellFigures(CELL, kind.id(), beside);
        for (final double each : callsPerS) {
            figures.add(new Measured(each, 100, new Measured.CallTimes(10, 20, 30), 1, 2, 0, 0));
        }
        return figures;
    }
}
