package io.penstock.broker.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.security.IdentityUse;
import io.penstock.broker.shard.store.ColumnMemory;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.broker.shard.store.Snapshots;
import io.penstock.broker.shard.store.StateMemory;
import io.penstock.broker.shard.store.StateStore;
import io.penstock.broker.shard.store.Version;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/** A store of a topic, and queries of it: by a run as the broker has it, and by looking at each row. */
public final class ColumnStore implements AutoCloseable {
    private static final long TIMEOUT_NS = 3_600_000_000_000L;

    private final StateMemory memory;
    private final Snapshots snapshots;
    private final StateStore store;
    private final Topic topic = new Topic(0, 0, "t", MessageFormats.formatFor("json"), StateRule.of("id", 0));
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[Long.BYTES]);
    private long sequence;

    /** An empty store, whose columns take no more than so many bytes. */
    public ColumnStore(final long columnLengthMax) {
        this(new StateMemory(256L << 20, 1 << 20, columnLengthMax));
    }

    private ColumnStore(final StateMemory memory) {
        this.memory = memory;
        snapshots = new Snapshots();
        store = new StateStore(memory, snapshots, 256L << 20);
    }

    /** An empty store of another topic in the same memory. To be {@linkplain #free freed}, and not closed. */
    public ColumnStore another() {
        return new ColumnStore(memory);
    }

    public StateStore store() {
        return store;
    }

    public ColumnMemory columnMemory() {
        return memory.columns();
    }

    /** Sets the last value of a key. */
    public void put(final long keyNumber, final String json) {
        final byte[] bytes = json.getBytes(UTF_8);
        put(keyNumber, bytes, bytes.length);
    }

    void put(final long keyNumber, final byte[] bytes, final int length) {
        key.putLong(0, keyNumber);
        sequence++;
        store.put(
                store.find(key, 0, Long.BYTES),
                key,
                0,
                Long.BYTES,
                new UnsafeBuffer(bytes),
                0,
                length,
                0,
                sequence,
                sequence,
                StateStore.NEVER);
    }

    /** Deletes a key if it is there. */
    public void delete(final long keyNumber) {
        key.putLong(0, keyNumber);
        final int row = store.find(key, 0, Long.BYTES);
        if (row != StateStore.NO_ROW) {
            store.delete(row, ++sequence);
        }
    }

    /** Frees what no snapshot needs. */
    public void reclaim() {
        store.reclaim(Integer.MAX_VALUE);
    }

    /** All rows as they are now. */
    public QuerySource open() {
        return new QuerySource(topic, store, snapshots.open(sequence), null);
    }

    public void close(final QuerySource source) {
        snapshots.close(source.snapshot());
    }

    /** Answers a query for rows with workers that take turns. */
    public static Answer ask(final QuerySource source, final String filter, final int workerCount) {
        return ask(source, filter, workerCount, SystemNanoClock.INSTANCE);
    }

    /** The same at another time. */
    public static Answer ask(
            final QuerySource source, final String filter, final int workerCount, final NanoClock clock) {
        final QueryRun run = run(QueryPlan.rows(filter, TIMEOUT_NS), source, workerCount, clock);
        final LongArrayList rows = new LongArrayList();
        while (!run.isDone()) {
            for (int i = 0; i < run.workerCount(); i++) {
                run.worker(i).work();
                take(run, i, rows);
            }
        }
        return answer(run, rows);
    }

    /** A run of a query, to be worked on by the caller. */
    static QueryRun run(final QueryPlan plan, final QuerySource source, final int workerCount) {
        return run(plan, source, workerCount, SystemNanoClock.INSTANCE);
    }

    /** The same at another time. */
    static QueryRun run(final QueryPlan plan, final QuerySource source, final int workerCount, final NanoClock clock) {
        return new QueryRun(plan, List.of(source), workerCount, clock, () -> {}, IdentityUse.ofNobody());
    }

    static void take(final QueryRun run, final int worker, final LongArrayList rows) {
        for (ResultPage page = run.poll(worker); page != null; page = run.poll(worker)) {
            addRows(page, rows);
            run.recycle(worker, page);
        }
    }

    /** Adds each row of a page, and the sequence of the version that was found. */
    static void addRows(final ResultPage page, final LongArrayList to) {
        final IntArrayList rows = new IntArrayList();
        final FoundVersions versions = new FoundVersions();
        page.forEachRow(rows, versions);
        int at = 0;
        for (int i = 0; i < rows.size(); i++) {
            to.addLong(rows.getInt(i));
            to.addLong(versions.sequence(at));
            at = versions.next(at);
        }
    }

    static Answer answer(final QueryRun run, final LongArrayList rows) {
        for (int i = 0; i < run.workerCount(); i++) {
            take(run, i, rows);
        }
        run.free();
        final long read = run.rowsRead();
        final Answer answer = Answer.of(rows, run.topicMatches(), run.matches(), read);
        if (run.failure() != null) {
            throw new AssertionError("query: " + run.failure());
        }
        return answer;
    }

    /** Answers a query for rows by evaluating the filter over each one. */
    public static Answer expected(final QuerySource source, final String filterText) {
        final FieldSet fields = new FieldSet();
        final Filter limit = FilterCompiler.compile(source.condition(), fields, FilterLimits.COMBINED);
        final Filter filter = FilterCompiler.compile(filterText, fields, FilterLimits.COMBINED);
        final FieldReader reader = source.topic().format().newReader(fields);
        final UnsafeBuffer message = new UnsafeBuffer(0, 0);
        final LongArrayList rows = new LongArrayList();
        long seen = 0;
        for (int row = 0; row < source.count(); row++) {
            final long version = source.store().versionAt(row, source.snapshot().sequence());
            if (version != 0) {
                Version.wrapMessage(message, version);
                reader.wrap(message, 0, message.capacity());
                if (limit.matches(reader)) {
                    seen++;
                    if (filter.matches(reader)) {
                        rows.addLong(row);
                        rows.addLong(Version.sequence(version));
                    }
                }
            }
        }
        return Answer.of(rows, seen, rows.size() / 2, 0);
    }

    /** Frees the store, and leaves the memory to others. */
    public void free() {
        store.close();
    }

    @Override
    public void close() {
        store.close();
        memory.close();
    }

    /**
     * What a query has found.
     *
     * @param rows         row and sequence of the version, in the order of rows.
     * @param topicMatches rows that were looked at.
     * @param matches      rows that matched.
     */
    public record Found(List<List<Long>> rows, long topicMatches, long matches) {}

    /**
     * An answer.
     *
     * @param found    what the query has found.
     * @param rowsRead rows whose messages were read for that.
     */
    public record Answer(Found found, long rowsRead) {
        private static Answer of(
                final LongArrayList rows, final long topicMatches, final long matches, final long rowsRead) {
            final List<List<Long>> pairs = new ArrayList<>();
            for (int i = 0; i < rows.size(); i += 2) {
                pairs.add(List.of(rows.getLong(i), rows.getLong(i + 1)));
            }
            pairs.sort(Comparator.comparing(each -> each.get(0)));
            return new Answer(new Found(pairs, topicMatches, matches), rowsRead);
        }
    }
}
