package io.penstock.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The counts that the demonstration checks itself against, counted here with another parser and plain Java. */
class ScenarioTest {
    private static final List<String> AIRPORTS = List.of("JFK", "SFO", "ORD");

    @Test
    void shouldHoldTheWholeFilesWhenRead() throws IOException {
        final Scenario scenario = Scenario.load();

        assertThat(scenario.feeds()).extracting(Feed::count).containsExactly(20_000, 1_707);
        assertThat(scenario.messageCount()).isEqualTo(21_707);
    }

    @Test
    void shouldStateTheFactsAboutTheFilesWhenCountedInAnotherWay() throws IOException {
        final Scenario scenario = Scenario.load();
        final List<Predicate<Map<String, Object>>> conditions = List.of(
                flight -> number(flight, "delay") > 60 && AIRPORTS.contains(flight.get("origin")),
                flight -> number(flight, "distance") > 2500,
                quake -> quake.containsKey("mag") && number(quake, "mag") >= 4.5,
                quake -> String.valueOf(quake.get("place")).endsWith("Alaska") && quake.containsKey("felt"));

        for (int i = 0; i < conditions.size(); i++) {
            final Scenario.Watch watch = scenario.watches().get(i);
            final Feed feed = scenario.feeds().get(watch.topic().equals(Scenario.FLIGHTS) ? 0 : 1);
            assertThat(count(feed, conditions.get(i))).as(watch.filter()).isEqualTo(watch.expected());
        }
    }

    @Test
    void shouldStateHowManyKeysThereAreWhenCountedInAnotherWay() throws IOException {
        final Scenario scenario = Scenario.load();
        final Set<Object> routes = new HashSet<>();
        final Set<Object> quakes = new HashSet<>();
        count(scenario.feeds().get(0), flight -> routes.add(List.of(flight.get("origin"), flight.get("destination"))));
        count(scenario.feeds().get(1), quake -> quakes.add(quake.get("id")));

        assertThat(scenario.kept()).extracting(Scenario.Kept::expected).containsExactly(routes.size(), quakes.size());
    }

    private static int count(final Feed feed, final Predicate<Map<String, Object>> condition) throws IOException {
        int count = 0;
        for (int i = 0; i < feed.count(); i++) {
            final byte[] bytes = new byte[feed.message(i).capacity()];
            feed.message(i).getBytes(0, bytes);
            count += condition.test(fields(bytes)) ? 1 : 0;
        }
        return count;
    }

    /** Every scalar of an object and of the objects within it, by its name; nulls are left out. */
    private static Map<String, Object> fields(final byte[] json) throws IOException {
        final Map<String, Object> fields = new HashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token.isNumeric() && parser.currentName() != null) {
                    fields.putIfAbsent(parser.currentName(), parser.getDoubleValue());
                } else if (token == JsonToken.VALUE_STRING && parser.currentName() != null) {
                    fields.putIfAbsent(parser.currentName(), parser.getText());
                }
            }
        }
        return fields;
    }

    private static double number(final Map<String, Object> fields, final String name) {
        return (Double) fields.getOrDefault(name, Double.NaN);
    }
}
