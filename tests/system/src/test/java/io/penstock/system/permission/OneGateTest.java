package io.penstock.system.permission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.penstock.orb.PenstockBroker;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Whatever a client can ask has its place in the matrix, or needs no permission of its own: it is about the client itself, or about
 * what the client has begun. A new command, operation or request has to get its row here.
 */
class OneGateTest {
    private static final Path PROTOCOL = Path.of("../../broker-client/src/main/sbe/penstock.xml");
    private static final Pattern MESSAGE = Pattern.compile("<sbe:message name=\"(\\w+)\" id=\"(\\d+)\"");
    private static final Pattern OPERATION = Pattern.compile("(\\w+)\\(in |(\\w+)\\(\\)");
    private static final int FIRST_OF_BROKER = 101;

    /** Commands of the protocol, with the kinds of cases by which they are sent. */
    private static final Map<String, Set<Kind>> COMMANDS = Map.ofEntries(
            Map.entry("Logon", EnumSet.of(Kind.LOG_ON)),
            Map.entry("Publish", EnumSet.of(Kind.PUBLISH, Kind.PUBLISH_TO_NEW_TOPIC)),
            Map.entry("PublishState", EnumSet.of(Kind.PUBLISH, Kind.PUBLISH_TO_NEW_TOPIC, Kind.PUBLISH_DELTA)),
            Map.entry("Subscribe", EnumSet.of(Kind.SUBSCRIBE, Kind.SUBSCRIBE_TO_PATTERN, Kind.SOW_AND_SUBSCRIBE)),
            Map.entry("SubscribeFrom", EnumSet.of(Kind.REPLAY, Kind.REPLAY_OF_PATTERN)),
            Map.entry(
                    "Sow",
                    EnumSet.of(
                            Kind.QUERY,
                            Kind.QUERY_OF_PATTERN,
                            Kind.QUERY_OF_KEYS,
                            Kind.QUERY_OF_COUNT,
                            Kind.QUERY_OF_PAST)),
            Map.entry("SowDelete", EnumSet.of(Kind.DELETE_BY_FILTER, Kind.DELETE_BY_KEYS)),
            Map.entry("DeclareTopic", EnumSet.of(Kind.DECLARE)),
            Map.entry("Topics", EnumSet.of(Kind.LIST)),
            Map.entry("Stat", EnumSet.of(Kind.STAT)),
            Map.entry("ResetPublisher", EnumSet.of(Kind.RESET_PUBLISHER)),
            Map.entry("DeleteTopic", EnumSet.of(Kind.DELETE_TOPIC)),
            Map.entry("OpenSink", EnumSet.of(Kind.DELIVER)),
            Map.entry("OfferBlock", EnumSet.of(Kind.DELIVER)));

    private static final Set<String> COMMANDS_OF_ITS_OWN =
            Set.of("AuthResponse", "Heartbeat", "Flush", "Unsubscribe", "Pace", "BlockData", "CloseSink");

    private static final Set<Kind> SUBSCRIPTIONS = EnumSet.of(
            Kind.SUBSCRIBE,
            Kind.SUBSCRIBE_TO_PATTERN,
            Kind.SOW_AND_SUBSCRIBE,
            Kind.REPLAY,
            Kind.REPLAY_OF_PATTERN);
    private static final Set<Kind> PUBLISHES =
            EnumSet.of(Kind.PUBLISH, Kind.PUBLISH_TO_NEW_TOPIC, Kind.PUBLISH_DELTA);

    /** Operations of the bridge. */
    private static final Map<String, Set<Kind>> OPERATIONS = Map.of(
            "logon", EnumSet.of(Kind.LOG_ON),
            "publish", PUBLISHES,
            "publishBatch", PUBLISHES,
            "publishWithHeaders", PUBLISHES,
            "publishBatchWithHeaders", PUBLISHES,
            "subscribe", SUBSCRIPTIONS,
            "subscribeWithCallback", SUBSCRIPTIONS,
            "subscribeWithHeaders", SUBSCRIPTIONS,
            "query", EnumSet.of(Kind.QUERY, Kind.QUERY_OF_PATTERN, Kind.QUERY_OF_COUNT));

    /** {@code forget} is about a name of the same user; {@code echo} does not ask the broker. */
    private static final Set<String> OPERATIONS_OF_ITS_OWN = Set.of(
            "logoff",
            "echo",
            "next",
            "nextWithHeaders",
            "acknowledge",
            "forget",
            "unsubscribe",
            "fetch",
            "fetchWithHeaders",
            "closeQuery");

    /** What is said of the process to everyone, and the description of the API. */
    private static final Set<String> REQUESTS_OF_NOBODY = Set.of(
            "GET /api/v1/health/live",
            "GET /api/v1/health/ready",
            "GET /api/v1/openapi.json",
            "POST /api/v1/session",
            "DELETE /api/v1/session");

    private static Map<String, Set<Kind>> requests() {
        final Map<String, Set<Kind>> requests = new TreeMap<>();
        requests.put("GET /api/v1/session", EnumSet.of(Kind.LOG_ON));
        requests.put("GET /api/v1/topics", EnumSet.of(Kind.LIST));
        requests.put("POST /api/v1/topics", EnumSet.of(Kind.DECLARE));
        requests.put("DELETE /api/v1/topics/{name}", EnumSet.of(Kind.DELETE_TOPIC));
        requests.put("POST /api/v1/query", EnumSet.of(Kind.QUERY, Kind.QUERY_OF_COUNT, Kind.QUERY_OF_PAST));
        requests.put(
                "GET /api/v1/stream/tail",
                EnumSet.of(Kind.SUBSCRIBE, Kind.SUBSCRIBE_TO_PATTERN, Kind.REPLAY, Kind.REPLAY_OF_PATTERN));
        HttpCaller.READS.forEach(each -> requests.put(each, EnumSet.of(Kind.ADMIN_READ)));
        HttpCaller.WRITES.forEach(each -> requests.put(each, EnumSet.of(Kind.ADMIN_WRITE)));
        HttpCaller.STATS.forEach(each -> requests.put(each, EnumSet.of(Kind.STAT)));
        return requests;
    }

    private static Set<String> both(final Set<String> one, final Set<String> other) {
        final Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    private static void assertKinds(final Map<String, Set<Kind>> rows, final Transport transport) {
        assertThat(rows.values().stream().flatMap(Set::stream).collect(Collectors.toSet()))
                .as("kinds of cases over %s", transport)
                .isEqualTo(Set.copyOf(Kind.over(transport)));
    }

    @Test
    void shouldHaveEachCommandOfTheProtocol() throws IOException {
        final Set<String> commands = new TreeSet<>();
        final Matcher message = MESSAGE.matcher(Files.readString(PROTOCOL));
        while (message.find()) {
            if (Integer.parseInt(message.group(2)) < FIRST_OF_BROKER) {
                commands.add(message.group(1));
            }
        }

        assertThat(both(COMMANDS.keySet(), COMMANDS_OF_ITS_OWN)).isEqualTo(commands);
        assertKinds(COMMANDS, Transport.TCP);
    }

    @Test
    void shouldHaveEachOperationOfTheBridge() throws IOException {
        final Set<String> methods =
                Arrays.stream(PenstockBroker.class.getMethods()).map(Method::getName).collect(Collectors.toSet());
        final Set<String> rows = both(OPERATIONS.keySet(), OPERATIONS_OF_ITS_OWN);

        assertThat(rows).isEqualTo(methods);
        assertKinds(OPERATIONS, Transport.RMI);
        assertThat(rows).isEqualTo(operationsOfTheIdl());
        assertKinds(OPERATIONS, Transport.IIOP);
    }

    private static Set<String> operationsOfTheIdl() throws IOException {
        try (InputStream in = Objects.requireNonNull(PenstockBroker.class.getResourceAsStream("Penstock.idl"))) {
            final String idl = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            final Matcher operation = OPERATION.matcher(idl.substring(idl.indexOf("interface PenstockBroker")));
            final Set<String> operations = new TreeSet<>();
            while (operation.find()) {
                operations.add(operation.group(1) == null ? operation.group(2) : operation.group(1));
            }
            return operations;
        }
    }

    /** The document has what is served, as a test of the admin server shows. */
    @Test
    void shouldHaveEachRequestOfTheAdminServer() throws IOException {
        final Map<String, Set<Kind>> requests = requests();

        assertThat(both(requests.keySet(), REQUESTS_OF_NOBODY)).isEqualTo(documented());
        assertKinds(requests, Transport.HTTP);
    }

    private static Set<String> documented() throws IOException {
        final Set<String> documented = new TreeSet<>();
        final List<String> methods = List.of("get", "post", "put", "delete", "patch");
        try (InputStream in = Objects.requireNonNull(OneGateTest.class.getResourceAsStream("/io/penstock/admin/openapi.json"));
                JsonParser parser = new JsonFactory().createParser(in)) {
            String path = "";
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    final String name = parser.currentName();
                    if (name.startsWith("/")) {
                        path = name;
                    } else if (methods.contains(name) && !path.isEmpty()) {
                        documented.add(name.toUpperCase(Locale.ROOT) + " " + path);
                    }
                }
            }
        }
        return documented;
    }
}
