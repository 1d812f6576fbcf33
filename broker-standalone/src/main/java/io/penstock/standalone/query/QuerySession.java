package io.penstock.standalone.query;

import io.penstock.client.Message;
import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.QueryStream;
import io.penstock.client.TopicInfo;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Json;
import io.penstock.standalone.console.Nearest;
import io.penstock.standalone.console.RowOptions;
import io.penstock.standalone.console.Rows;
import io.penstock.standalone.message.FieldWarning;
import io.penstock.standalone.message.MessageRows;
import io.penstock.standalone.message.TopicNames;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Answers what is typed, line by line. */
final class QuerySession {
    private final Link link;
    private final Vocabulary vocabulary;
    private final Duration timeout;
    private final PrintWriter out;
    private final PrintWriter err;
    private RowOptions form;

    QuerySession(
            final Link link,
            final Duration timeout,
            final RowOptions form,
            final PrintWriter out,
            final PrintWriter err) {
        this.link = link;
        this.timeout = timeout;
        this.form = form;
        this.out = out;
        this.err = err;
        vocabulary = new Vocabulary(link::present);
    }

    Vocabulary vocabulary() {
        return vocabulary;
    }

    /**
     * Answers a line.
     *
     * @return false when it ends the session.
     * @throws CommandFailure when it is neither a query nor a word with a dot.
     */
    boolean answer(final String line) {
        final String text = line.strip().replaceFirst("\\s*;$", "");
        if (text.isEmpty() || text.startsWith("--")) {
            return true;
        }
        final String[] words = text.split("\\s+", 2);
        final Meta meta = Meta.find(words[0]);
        if (meta != null) {
            return answer(meta, words.length == 1 ? "" : words[1]);
        }
        if (text.startsWith(".")) {
            throw unknown(words[0]);
        }
        query(Statement.parse(text));
        return true;
    }

    private static CommandFailure unknown(final String word) {
        return CommandFailure.badInput("query: not known: " + word + " (use " + String.join(", ", Meta.names()) + ")");
    }

    private boolean answer(final Meta meta, final String argument) {
        switch (meta) {
            case TOPICS ->
                list(
                        "topic",
                        link.client().topics(argument).stream()
                                .map(topic -> new Json()
                                        .field("topic", topic.name())
                                        .field("format", topic.format())
                                        .field("messages", topic.messages())
                                        .end())
                                .toList());
            case FIELDS ->
                list(
                        "field",
                        fields(argument).stream()
                                .map(field -> new Json().field("field", field).end())
                                .toList());
            case FORMAT -> {
                if (!Meta.FORMATS.contains(argument)) {
                    throw CommandFailure.badInput("query: .format: not known: " + argument + " (use "
                            + String.join(", ", Meta.FORMATS) + ")");
                }
                form = RowOptions.of(argument);
            }
            case HELP -> help();
            case QUIT -> {
                return false;
            }
        }
        return true;
    }

    private List<String> fields(final String topic) {
        final List<String> topics =
                link.client().topics("").stream().map(TopicInfo::name).toList();
        if (!topics.contains(topic)) {
            final List<String> near = Nearest.of(topic, topics);
            throw CommandFailure.badInput("query: .fields: no such topic: " + topic + " ("
                    + (near.isEmpty() ? "see .topics" : "did you mean " + String.join(" or ", near) + "?") + ")");
        }
        return vocabulary.fields(topic);
    }

    private void list(final String what, final List<String> rows) {
        if (rows.isEmpty()) {
            err.println("no " + what);
            err.flush();
        }
        try (Rows to = form.open(out, err)) {
            rows.forEach(to::add);
        }
    }

    private void help() {
        out.println(
                "SELECT … FROM topic WHERE … GROUP BY … HAVING … ORDER BY … LIMIT n OFFSET n; all but FROM may be left"
                        + " out.");
        for (final Meta each : Meta.values()) {
            out.printf("%-8s  %s%n", each.word(), each.meaning());
        }
        out.println("A semicolon may stand at the end.");
        out.flush();
    }

    private void query(final Statement statement) {
        final PenstockClient client = link.client();
        FieldWarning.warn(client, statement.topic(), false, statement.filter(), err);
        final long startNs = System.nanoTime();
        long count = 0;
        try (QueryStream stream = client.sowStream(statement.request().timeout(timeout));
                MessageRows rows = MessageRows.of(form.open(out, err), form.isJson())) {
            for (final Message each : stream) {
                rows.write(each);
                count++;
            }
        } catch (final PenstockException e) {
            throw TopicNames.explained(e, client, statement.topic());
        }
        if (form.isTable()) {
            err.printf("%,d row%s in %.3f s%n", count, count == 1 ? "" : "s", (System.nanoTime() - startNs) / 1e9);
            err.flush();
        }
    }
}
