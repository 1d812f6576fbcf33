package io.penstock.system.permission;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.protocol.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Requests to the admin server. */
final class HttpCaller implements Caller {
    /** What needs that one may look, with the status when one may. */
    static final List<String> READS = List.of(
            "GET /api/v1/info",
            "GET /api/v1/config",
            "GET /api/v1/clients",
            "GET /api/v1/columns",
            "GET /api/v1/subscriptions",
            "GET /api/v1/queries",
            "GET /api/v1/transports",
            "GET /api/v1/log",
            "GET /api/v1/log/backups",
            "GET /api/v1/log/backups/{id}",
            "GET /api/v1/permissions/explain",
            "GET /api/v1/roles",
            "GET /api/v1/users",
            "GET /api/v1/threads");

    /** What needs that one may change something; there is nothing of these names. */
    static final List<String> WRITES = List.of(
            "DELETE /api/v1/clients/{id}",
            "DELETE /api/v1/columns/{topic}",
            "DELETE /api/v1/queries/{id}",
            "DELETE /api/v1/log/backups/{id}",
            "GET /api/v1/clients/{id}/trace",
            "POST /api/v1/log/backups",
            "POST /api/v1/reload",
            "POST /api/v1/transports/{id}/enable",
            "POST /api/v1/transports/{id}/disable");

    /** What of both lacks a parameter or a setting here, which is looked at when one may. */
    private static final Set<String> INCOMPLETE = Set.of(
            "GET /api/v1/log/backups",
            "GET /api/v1/log/backups/{id}",
            "GET /api/v1/permissions/explain",
            "DELETE /api/v1/log/backups/{id}",
            "POST /api/v1/log/backups",
            "POST /api/v1/reload");

    static final List<String> STATS =
            List.of("GET /api/v1/counters", "GET /api/v1/metrics", "GET /metrics", "GET /api/v1/stream/stats");

    private static final JsonFactory JSON = new JsonFactory();
    private static final String NOBODY = "999999999";

    /** A tail has more ways to go than what a native client gets. */
    private static final int LOOK_LONGER_MS = 15;

    private final URI server;
    private final HttpClient http = HttpClient.newHttpClient();

    HttpCaller(final URI server) {
        this.server = server;
    }

    private static <T> T pick(final List<T> values, final Command command) {
        return values.get(command.variant() % values.size());
    }

    @Override
    public Outcome ask(final Command command, final Run run, final int expected) throws Exception {
        final String topic = run.absolute(command.topic());
        final Map<String, String> body = new TreeMap<>();
        return switch (command.kind()) {
            case LOG_ON -> done(command, "GET", "/api/v1/session", "");
            case SUBSCRIBE -> tailed(command, "topic=" + encoded(topic), run, expected);
            case SUBSCRIBE_TO_PATTERN ->
                tailed(command, "pattern=true&topic=" + encoded(run.pattern(command.topic())), run, expected);
            case REPLAY -> tailed(command, "topic=" + encoded(topic) + between(run), run, expected);
            case REPLAY_OF_PATTERN ->
                tailed(
                        command,
                        "pattern=true&topic=" + encoded(run.pattern(command.topic())) + between(run),
                        run,
                        expected);
            case QUERY, QUERY_OF_PAST, QUERY_OF_COUNT -> {
                body.put("topic", topic);
                body.put("filter", command.filterText());
                if (command.kind() == Kind.QUERY_OF_PAST) {
                    body.put("asOf", run.mark());
                } else if (command.kind() == Kind.QUERY_OF_COUNT) {
                    body.put("select", "COUNT(*) AS n");
                }
                yield queried(command, json(body), run);
            }
            case DECLARE -> {
                body.put("name", topic);
                body.put("key", "/id");
                yield done(command, "POST", "/api/v1/topics", json(body));
            }
            case LIST -> listed(command, run);
            case STAT -> route(command, pick(STATS, command));
            case DELETE_TOPIC -> done(command, "DELETE", "/api/v1/topics/" + encoded(topic), "");
            case ADMIN_READ -> route(command, pick(READS, command));
            case ADMIN_WRITE -> route(command, pick(WRITES, command));
            default -> throw new IllegalStateException("no request of the admin server: " + command.kind());
        };
    }

    private static String between(final Run run) {
        return "&from=" + encoded(run.mark()) + "&to=now";
    }

    private static String encoded(final String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String json(final Map<String, String> fields) throws IOException {
        final StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            for (final Map.Entry<String, String> field : fields.entrySet()) {
                json.writeStringField(field.getKey(), field.getValue());
            }
            json.writeEndObject();
        }
        return text.toString();
    }

    private static String authorization(final User user) {
        return "Basic " + Base64.getEncoder().encodeToString((user.name() + ":x").getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse<String> send(final Command command, final String method, final String path, final String body)
            throws Exception {
        final HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path))
                .timeout(Duration.ofMillis(WAIT_MS))
                .header("X-Penstock-Request", "1")
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body));
        if (!command.user().name().isEmpty()) {
            request.header("Authorization", authorization(command.user()));
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static boolean isRefused(final HttpResponse<String> response) {
        return response.statusCode() >= 300;
    }

    /** The status has to fit the code. */
    private static Outcome refused(final int status, final String problem) {
        final String code = Sample.text(Sample.read(problem), "code");
        final int fit = switch (code) {
            case "NOT_LOGGED_ON" -> 401;
            case "NOT_AUTHORIZED", "NOT_ENTITLED" -> 403;
            case "NOT_FOUND" -> 404;
            case "NO_STATE" -> 409;
            default -> -1;
        };
        return Outcome.refused(status == fit ? code : status + " " + problem);
    }

    private Outcome done(final Command command, final String method, final String path, final String body)
            throws Exception {
        final HttpResponse<String> response = send(command, method, path, body);
        return isRefused(response) ? refused(response.statusCode(), response.body()) : Outcome.DONE;
    }

    private Outcome route(final Command command, final String route) throws Exception {
        final String[] parts = route.split(" ", 2);
        if (parts[1].endsWith("/stream/stats")) {
            try (Events events = new Events(server, command, parts[1])) {
                return events.isRefused() ? refused(events.status, events.body()) : Outcome.DONE;
            }
        }
        final String id = parts[1].contains("/queries/") ? NOBODY + ".1" : NOBODY;
        final Outcome outcome =
                done(command, parts[0], parts[1].replace("{id}", id).replace("{topic}", NOBODY), "");
        if (!INCOMPLETE.contains(route) || outcome.code().startsWith("NOT_AUTHORIZED")) {
            return outcome;
        }
        // Whoever may is told what is missing.
        final boolean isTold = outcome.code().isEmpty()
                || outcome.code().equals(ErrorCode.NOT_FOUND.name())
                || outcome.code().startsWith("400 ")
                || outcome.code().startsWith("404 ")
                || outcome.code().startsWith("409 ");
        final Outcome ofOthers = READS.contains(route) ? Outcome.DONE : Outcome.refused(ErrorCode.NOT_FOUND.name());
        return isTold ? ofOthers : outcome;
    }

    private Outcome queried(final Command command, final String body, final Run run) throws Exception {
        final HttpResponse<String> response = send(command, "POST", "/api/v1/query", body);
        if (isRefused(response)) {
            return refused(response.statusCode(), response.body());
        }
        final List<String> items = new ArrayList<>();
        for (final String line : response.body().split("\n", -1)) {
            if (line.startsWith("{\"record\":")) {
                final Map<String, Object> record =
                        Sample.read(line.substring("{\"record\":".length(), line.length() - 1));
                items.add(
                        command.kind() == Kind.QUERY_OF_COUNT
                                ? Sample.text(Sample.read(Sample.text(record, "payload")), "n")
                                : item(record, run));
            } else if (line.startsWith("{\"done\":") && command.kind() == Kind.QUERY) {
                final Map<String, Object> done = Sample.read(line.substring("{\"done\":".length(), line.length() - 1));
                items.add(done.get("matches") + " of " + done.get("topicMatches"));
            } else if (!line.isEmpty() && !line.startsWith("{\"done\":")) {
                items.add(line);
            }
        }
        return Outcome.of(items);
    }

    private static String item(final Map<String, Object> record, final Run run) {
        final String kind = Sample.text(record, "kind").toUpperCase(Locale.ROOT);
        return run.item(
                kind.equals("DELTA") ? "MESSAGE" : kind, Sample.text(record, "topic"), Sample.text(record, "payload"));
    }

    private Outcome listed(final Command command, final Run run) throws Exception {
        final HttpResponse<String> response =
                send(command, "GET", "/api/v1/topics?limit=1000&prefix=" + encoded(run.prefix()), "");
        if (isRefused(response)) {
            return refused(response.statusCode(), response.body());
        }
        final List<String> items = new ArrayList<>();
        String name = "";
        try (JsonParser parser = JSON.createParser(response.body())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME && parser.currentName().equals("name")) {
                    name = parser.nextTextValue();
                } else if (token == JsonToken.FIELD_NAME && parser.currentName().equals("messages")) {
                    items.add(name.substring(run.prefix().length()) + " " + parser.nextLongValue(-1));
                }
            }
        }
        return Outcome.of(items);
    }

    private Outcome tailed(final Command command, final String query, final Run run, final int expected)
            throws Exception {
        final String path = "/api/v1/stream/tail?" + query + "&filter=" + encoded(command.filterText());
        try (Events events = new Events(server, command, path)) {
            if (events.isRefused()) {
                return refused(events.status, events.body());
            }
            run.others().run();
            final List<String> items = new ArrayList<>();
            String data;
            do {
                data = events.next(items.size() < expected ? WAIT_MS : LOOK_LONGER_MS);
                if (data != null && events.name.equals("message")) {
                    items.add(item(Sample.read(data), run));
                } else if (data != null && !data.contains("COMPLETED")) {
                    items.add(data);
                }
            } while (data != null && !events.name.equals("end"));
            return Outcome.of(items);
        }
    }

    @Override
    public void forget(final User user) {}

    @Override
    public void close() {}

    /** A stream of events. */
    private static final class Events implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader in;
        private final int status;
        private int length = -1;
        private String name = "";

        Events(final URI server, final Command command, final String path) throws IOException {
            socket = new Socket(server.getHost(), server.getPort());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(WAIT_MS);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            final String user = command.user().name();
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Penstock-Request: 1\r\n"
                                    + (user.isEmpty() ? "" : "Authorization: " + authorization(command.user()) + "\r\n")
                                    + "\r\n")
                            .getBytes(StandardCharsets.UTF_8));
            status = Integer.parseInt(in.readLine().split(" ", -1)[1]);
            for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
                if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip());
                }
            }
        }

        boolean isRefused() {
            return status >= 300;
        }

        String body() throws IOException {
            final StringBuilder body = new StringBuilder();
            while (body.toString().getBytes(StandardCharsets.UTF_8).length < length) {
                body.append((char) in.read());
            }
            return body.toString();
        }

        /** The data of the next event; null when none comes in time, or the stream has ended. */
        @org.jspecify.annotations.Nullable
        String next(final int timeoutMs) throws IOException {
            socket.setSoTimeout(timeoutMs);
            try {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    if (line.startsWith("event: ")) {
                        name = line.substring("event: ".length());
                    } else if (line.startsWith("data: ")) {
                        return line.substring("data: ".length());
                    }
                }
                return null;
            } catch (final SocketTimeoutException e) {
                return null;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
