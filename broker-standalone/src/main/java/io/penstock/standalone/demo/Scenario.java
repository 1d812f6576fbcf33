package io.penstock.standalone.demo;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.ViewConfig;
import io.penstock.broker.event.EventHandler;
import io.penstock.client.SowRequest;
import java.io.IOException;
import java.util.List;

/**
 * Publishes and subscriptions of the demonstration. The counts are facts about the files.
 *
 * @param feeds     published side by side.
 * @param watches   subscribed to.
 * @param kept      by the broker as state.
 * @param questions asked about the state.
 */
record Scenario(List<Feed> feeds, List<Watch> watches, List<Kept> kept, List<Question> questions) {
    static final String FLIGHTS = "flights";
    static final String EARTHQUAKES = "earthquakes";

    /** The delays at each origin, of the last flight of each route, which the broker computes as they change. */
    static final ViewConfig DELAYS = new ViewConfig(
            "delays",
            FLIGHTS,
            "",
            "origin, COUNT(*) AS routes, ROUND(AVG(delay), 1) AS average, MAX(delay) AS longest",
            "origin");

    /** Every message of every feed comes here: this shows that none is lost. */
    static final String ALL_TOPICS = FLIGHTS + "|" + EARTHQUAKES;

    /**
     * A subscription.
     *
     * @param topic    it is to.
     * @param filter   over the fields of its messages.
     * @param expected matches in one pass over the topic's feed.
     */
    record Watch(String topic, String filter, int expected) {
        @Override
        public String toString() {
            return topic + " where " + filter;
        }
    }

    /**
     * A topic whose last message of each key the broker keeps.
     *
     * @param topic    of that name.
     * @param key      fields of its messages.
     * @param expected keys in the topic's feed.
     */
    record Kept(String topic, String key, int expected) {}

    /**
     * A query.
     *
     * @param title   for people.
     * @param request what is asked.
     */
    record Question(String title, SowRequest request) {}

    /** Most rows of an answer, so that the screen holds it. */
    static final int ROWS_MAX = 5;

    static Scenario load() throws IOException {
        return new Scenario(
                List.of(Feed.read(FLIGHTS, "flights-20k.ndjson"), Feed.read(EARTHQUAKES, "earthquakes.ndjson")),
                List.of(
                        new Watch(FLIGHTS, "delay > 60 AND origin IN ('JFK','SFO','ORD')", 121),
                        new Watch(FLIGHTS, "distance > 2500", 218),
                        new Watch(EARTHQUAKES, "/properties/mag >= 4.5", 85),
                        new Watch(
                                EARTHQUAKES, "/properties/place LIKE '%Alaska' AND /properties/felt IS NOT NULL", 16)),
                List.of(new Kept(FLIGHTS, "origin, destination", 2_977), new Kept(EARTHQUAKES, "id", 1_707)),
                List.of(
                        new Question(
                                "a view: delays of the last flights, by origin",
                                SowRequest.topic(DELAYS.name())
                                        .orderBy("routes DESC, origin")
                                        .top(ROWS_MAX)),
                        new Question(
                                "routes whose last flight was most late",
                                SowRequest.topic(FLIGHTS)
                                        .filter("delay > 0")
                                        .select("origin, destination, delay, date")
                                        .orderBy("delay DESC, origin, destination")
                                        .top(ROWS_MAX)),
                        new Question(
                                "strongest earthquakes of the week",
                                SowRequest.topic(EARTHQUAKES)
                                        .select("/properties/mag AS magnitude, /properties/place AS place")
                                        .orderBy("/properties/mag DESC, id")
                                        .top(ROWS_MAX))));
    }

    /** A broker that keeps and computes what the scenario says. */
    BrokerConfig brokerConfig(final String endpoint) {
        BrokerConfig.Builder builder =
                BrokerConfig.builder().listen(endpoint).view(DELAYS).events(EventHandler.NONE);
        for (final Kept each : kept) {
            builder = builder.topic(TopicConfig.keyed(each.topic(), "json", each.key()));
        }
        return builder.build();
    }

    /** What the rows of the view are, asked of the topic that it is computed from. */
    static SowRequest delaysAsked() {
        return SowRequest.topic(DELAYS.source()).select(DELAYS.select()).groupBy(DELAYS.groupBy());
    }

    int messageCount() {
        return feeds.stream().mapToInt(Feed::count).sum();
    }
}
