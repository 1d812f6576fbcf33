package io.penstock.bench.state;

import io.penstock.standalone.CommandFailure;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The rows as a table of DuckDB in this process, on one thread. Its driver is not part of the benchmarks: it is on the class
 * path, or in a jar that is named. Confined to the main thread.
 */
final class DuckRows implements RowSource {
    private static final String DRIVER = "org.duckdb.DuckDBDriver";
    private static final String FROM = " FROM rows";

    private final int rowCount;
    private final Connection connection;
    private final Statement statement;

    private DuckRows(final int rowCount, final Connection connection) throws SQLException {
        this.rowCount = rowCount;
        this.connection = connection;
        statement = connection.createStatement();
    }

    /**
     * Makes the table.
     *
     * @param jar of the driver; null to take it from the class path.
     */
    static DuckRows load(final @Nullable Path jar, final int rowCount, final RowDocuments documents) {
        try {
            final Connection connection = driver(jar).connect("jdbc:duckdb:", new Properties());
            if (connection == null) {
                throw CommandFailure.failed("--beside: the driver of DuckDB does not take jdbc:duckdb:");
            }
            final DuckRows rows = new DuckRows(rowCount, connection);
            rows.statement.execute("SET threads = 1");
            rows.fill(documents);
            return rows;
        } catch (final SQLException | ReflectiveOperationException e) {
            throw failed(e);
        }
    }

    /** Whether there is a driver. */
    static boolean isThere(final @Nullable Path jar) {
        try {
            driver(jar);
            return true;
        } catch (final ReflectiveOperationException e) {
            return false;
        }
    }

    // The loader stays open as long as the driver is used, which is to the end.
    @SuppressWarnings("resource")
    private static Driver driver(final @Nullable Path jar) throws ReflectiveOperationException {
        final ClassLoader own = DuckRows.class.getClassLoader();
        try {
            final ClassLoader loader = jar == null
                    ? own
                    : new URLClassLoader(new URL[] {jar.toUri().toURL()}, own);
            return Class.forName(DRIVER, true, loader)
                    .asSubclass(Driver.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (final MalformedURLException e) {
            throw new ClassNotFoundException(DRIVER, e);
        }
    }

    /** By the driver's own appender: statements would take minutes. It is no part of JDBC. */
    private void fill(final RowDocuments documents) throws SQLException, ReflectiveOperationException {
        statement.execute("CREATE TABLE rows (id BIGINT, symbol VARCHAR, price DOUBLE, qty INTEGER, venue VARCHAR)");
        final Object appender = connection
                .getClass()
                .getMethod("createAppender", String.class, String.class)
                .invoke(connection, "main", "rows");
        final Class<?> type = appender.getClass();
        final Method begin = type.getMethod("beginRow");
        final Method end = type.getMethod("endRow");
        final Method text = type.getMethod("append", String.class);
        final Method number = type.getMethod("append", double.class);
        final Method whole = type.getMethod("append", int.class);
        final Method longWhole = type.getMethod("append", long.class);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[RowDocuments.LENGTH_MAX]);
        for (int row = 0; row < rowCount; row++) {
            documents.write(row, 0, 0L, message);
            begin.invoke(appender);
            longWhole.invoke(appender, RowDocuments.id(row));
            text.invoke(appender, RowDocuments.symbol(message));
            number.invoke(appender, RowDocuments.price(message));
            whole.invoke(appender, RowDocuments.qty(message));
            text.invoke(appender, RowDocuments.venue(message));
            end.invoke(appender);
        }
        type.getMethod("close").invoke(appender);
    }

    @Override
    public String name() {
        return "duckdb";
    }

    @Override
    public Answer count(final RowQuery query) {
        return ask("SELECT COUNT(*)" + FROM + " WHERE " + query.text(), rowCount);
    }

    @Override
    public Answer counts(final List<RowQuery> queries) {
        return ask(
                queries.stream()
                                .map(query -> "COUNT(*) FILTER (WHERE " + query.text() + ")")
                                .collect(Collectors.joining(", ", "SELECT ", ""))
                        + FROM,
                (long) rowCount * queries.size());
    }

    @Override
    public Answer groups() {
        final Answer answer = ask("SELECT symbol, COUNT(*), AVG(price)" + FROM + " GROUP BY symbol", rowCount);
        return new Answer(RowGroups.sorted(answer.values()), answer.pace());
    }

    @Override
    public Answer top(final int limit) {
        return ask("SELECT price" + FROM + " ORDER BY price DESC LIMIT " + limit, rowCount);
    }

    /** On one thread DuckDB works on the one that asks. */
    private Answer ask(final String sql, final long count) {
        final Stopwatch watch = new Stopwatch();
        final List<Double> values = new ArrayList<>();
        watch.start();
        try (ResultSet result = statement.executeQuery(sql)) {
            final int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                for (int i = 1; i <= columns; i++) {
                    final Object value = result.getObject(i);
                    values.add(
                            value instanceof Number number ? number.doubleValue() : RowGroups.code(value.toString()));
                }
            }
        } catch (final SQLException e) {
            throw failed(e);
        }
        watch.stop();
        return new Answer(values, watch.pace(count));
    }

    private static CommandFailure failed(final Exception reason) {
        return CommandFailure.failed("bench: DuckDB has failed: " + reason);
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (final SQLException e) {
            throw failed(e);
        }
    }
}
