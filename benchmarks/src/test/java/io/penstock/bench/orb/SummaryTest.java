package io.penstock.bench.orb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SummaryTest {
    private final Summary summary = new Summary();

    @Test
    void shouldReportMeanAndWorstCellOfEachKind() {
        add(Kind.RMI, new Cell(Cell.ECHO, 1, 1 << 10), 2, 1);
        add(Kind.RMI, new Cell(Cell.ECHO, 10, 1 << 10), 0.5, 1);
        add(Kind.IIOP, new Cell(Cell.ECHO, 10, 1 << 10), 1.5, 1);

        assertThat(summary.mean(Kind.RMI)).isEqualTo(1, within(1e-9));
        assertThat(summary.worst(Kind.RMI)).isEqualTo(0.5, within(1e-9));
        assertThat(summary.json())
                .contains("\"rmi_ratio_geometric_mean\":1,", "\"rmi_worst_cell\":\"echo, 10 threads, 1KiB\"")
                .contains("\"iiop_ratio_geometric_mean\":1.5,", "\"failed_cells\":0")
                .doesNotContain("rmi_pooled_ratio");
    }

    @Test
    void shouldReportTheTailOfThePoolWhereItCounts() {
        add(Kind.RMI_POOLED, new Cell(Cell.ECHO, 500, 1 << 10), 1, 0.3);
        add(Kind.RMI_POOLED, new Cell(Cell.PUBLISH, 500, 64 << 10), 1, 0.4);
        add(Kind.RMI_POOLED, new Cell(Cell.PUBLISH, 500, 1 << 20), 1, 0.9);
        add(Kind.RMI_POOLED, new Cell(Cell.PUBLISH, 100, 1 << 10), 1, 0.9);
        add(Kind.RMI, new Cell(Cell.PUBLISH, 500, 1 << 10), 1, 0.9);

        assertThat(summary.tail()).isEqualTo(0.4, within(1e-9));
    }

    @Test
    void shouldReportTheWorseOperationOfIiopAtTenThreads() {
        add(Kind.IIOP, new Cell(Cell.ECHO, 10, 64 << 10), 1.6, 1);
        add(Kind.IIOP, new Cell(Cell.PUBLISH, 10, 64 << 10), 1.3, 1);
        add(Kind.IIOP, new Cell(Cell.PUBLISH, 100, 64 << 10), 1.1, 1);

        assertThat(summary.iiop(64 << 10)).isEqualTo(1.3, within(1e-9));
        assertThat(summary.iiop(1 << 10)).isNaN();
        assertThat(summary.json()).contains("\"iiop_ratio_10_threads_1kib_min\":null");
    }

    @Test
    void shouldLeaveOutAndCountWhatHasFailed() {
        final Cell cell = new Cell(Cell.ECHO, 1, 1 << 10);
        add(Kind.RMI, cell, 3, 1);
        final CellFigures failed = new CellFigures(cell, Kind.RMI.id(), new CellFigures(cell, Kind.PLAIN.id(), null));
        failed.fail("a process has ended");
        summary.add(failed);

        assertThat(summary.mean(Kind.RMI)).isEqualTo(3, within(1e-9));
        assertThat(summary.failedCount()).isEqualTo(1);
        assertThat(summary.json()).contains("\"failed_cells\":1");
    }

    @Test
    void shouldReportFailedCallsOfBothSidesAndTheCellsOfAMean() {
        add(Kind.RMI, new Cell(Cell.ECHO, 1, 1 << 10), 2, 1);
        add(Kind.RMI, new Cell(Cell.ECHO, 10, 1 << 10), 2, 1);

        assertThat(summary.json())
                .contains("\"plain_failed_calls\":4", "\"rmi_failed_calls\":2", "\"rmi_cells\":2")
                .contains("\"rounds_left_out\":0");
        assertThat(summary.lines().get(0)).contains("of 2 cells", "calls that failed: 2, and 4 of plain");
    }

    @Test
    void shouldSayHowManyRoundsWereLeftOut() {
        summary.leaveOut(4);
        summary.leaveOut(3);

        assertThat(summary.json()).contains("\"rounds_left_out\":7");
        assertThat(summary.lines()).anyMatch(line -> line.contains("7 of the cells' rounds were left out"));
    }

    private void add(final Kind kind, final Cell cell, final double ratio, final double p99Ratio) {
        final CellFigures beside = new CellFigures(cell, Kind.PLAIN.id(), null);
        final CellFigures figures = new CellFigures(cell, kind.id(), beside);
        beside.add(new Measured(100, 100, new Measured.CallTimes(10, 100, 100), 1, 1, 2, 0));
        figures.add(new Measured(100 * ratio, 100, new Measured.CallTimes(10, 100 * p99Ratio, 1_000), 1, 1, 1, 0));
        summary.add(beside);
        summary.add(figures);
    }
}
