package io.penstock.system.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.BitSet;
import java.util.List;
import java.util.stream.Collectors;

/** A database in memory, with the rows in a table {@code r}. */
final class SqlDatabase implements AutoCloseable {
    private static final int ROWS_OF_AN_INSERT = 500;

    private final Connection connection;
    private final Statement statement;

    private SqlDatabase(final String url, final String setting) throws SQLException {
        connection = DriverManager.getConnection(url);
        statement = connection.createStatement();
        statement.execute(setting);
        statement.execute("CREATE TABLE r(" + SqlRow.COLUMNS + ")");
    }

    static SqlDatabase sqlite() throws SQLException {
        return new SqlDatabase("jdbc:sqlite::memory:", "PRAGMA case_sensitive_like = ON");
    }

    static SqlDatabase duck() throws SQLException {
        return new SqlDatabase("jdbc:duckdb:", "SET threads = 1");
    }

    void insert(final List<SqlRow> rows) throws SQLException {
        for (int i = 0; i < rows.size(); i += ROWS_OF_AN_INSERT) {
            statement.execute("INSERT INTO r VALUES "
                    + rows.subList(i, Math.min(rows.size(), i + ROWS_OF_AN_INSERT)).stream()
                            .map(SqlRow::sql)
                            .collect(Collectors.joining(",")));
        }
    }

    SqlAnswer ask(final SqlQuery query) {
        try (ResultSet results = statement.executeQuery(query.sql())) {
            return SqlAnswer.of(results, query);
        } catch (final SQLException e) {
            throw new IllegalStateException(query.sql(), e);
        }
    }

    /** The first rows that satisfy a condition. */
    BitSet ids(final Sql condition, final int end) {
        final String sql = "SELECT id FROM r WHERE id < " + end + " AND (" + condition.theirs() + ")";
        final BitSet ids = new BitSet();
        try (ResultSet results = statement.executeQuery(sql)) {
            while (results.next()) {
                ids.set(results.getInt(1));
            }
            return ids;
        } catch (final SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
