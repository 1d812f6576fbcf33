package io.penstock.bench.state;

import io.penstock.bench.figure.Pace;
import io.penstock.bench.plain.PlainAnswer;
import io.penstock.bench.plain.PlainProgram;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The rows as arrays of a C program. Confined to the main thread. */
final class PlainRows implements RowSource {
    private final PlainProgram program;
    private final int rowCount;
    private final long seed;

    private PlainRows(final PlainProgram program, final int rowCount, final long seed) {
        this.program = program;
        this.rowCount = rowCount;
        this.seed = seed;
    }

    static PlainRows load(final int rowCount, final long seed) throws IOException {
        final PlainRows rows = new PlainRows(PlainProgram.start(PlainProgram.STATE), rowCount, seed);
        rows.version(0);
        return rows;
    }

    /** Makes all rows what they are in a version. */
    void version(final long version) {
        program.ask("load " + rowCount + " " + seed + " " + version);
    }

    double clockGhz() {
        return program.clockGhz();
    }

    /** Copies messages over others of about as much memory as those of the rows take, 1 GiB at most. */
    Pace overwrite(final int count, final int length) {
        return pace(program.ask("overwrite " + count + " " + length), count);
    }

    /** Reads, stores and tests JSON of 400 bytes. */
    Pace index(final int count) {
        return pace(program.ask("documents " + count), count);
    }

    @Override
    public String name() {
        return "plain";
    }

    @Override
    public Answer count(final RowQuery query) {
        return count(query, 1);
    }

    /** The same by some threads, each with a part of the rows. */
    Answer count(final RowQuery query, final int threadCount) {
        final PlainAnswer answer = program.ask("scan " + threadCount + " " + query.words());
        return new Answer(List.of(answer.number("count")), pace(answer, rowCount));
    }

    @Override
    public Answer counts(final List<RowQuery> queries) {
        final PlainAnswer answer = program.ask("scans " + queries.size() + " "
                + queries.stream().map(RowQuery::words).collect(Collectors.joining(" ")));
        return new Answer(answer.values(), pace(answer, (long) rowCount * queries.size()));
    }

    @Override
    public Answer groups() {
        final PlainAnswer answer = program.ask("group");
        return new Answer(RowGroups.sorted(answer.values()), pace(answer, rowCount));
    }

    @Override
    public Answer top(final int limit) {
        final PlainAnswer answer = program.ask("top " + limit);
        return new Answer(
                answer.values().stream().sorted(Comparator.reverseOrder()).toList(), pace(answer, rowCount));
    }

    private static Pace pace(final PlainAnswer answer, final long count) {
        return new Pace(count, answer.wallNs(), answer.cpuNs());
    }

    @Override
    public void close() {
        program.close();
    }
}
