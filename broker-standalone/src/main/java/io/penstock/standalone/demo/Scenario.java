package io.penstock.standalone.demo;

import java.io.IOException;
import java.util.List;

/**
 * What is published and what is subscribed to. The counts are facts about the files.
 *
 * @param feeds   published side by side.
 * @param watches subscribed to.
 */
record Scenario(List<Feed> feeds, List<Watch> watches) {
    static final String FLIGHTS = "flights";
    static final String EARTHQUAKES = "earthquakes";

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

    static Scenario load() throws IOException {
        return new Scenario(
                List.of(Feed.read(FLIGHTS, "flights-20k.ndjson"), Feed.read(EARTHQUAKES, "earthquakes.ndjson")),
                List.of(
                        new Watch(FLIGHTS, "delay > 60 AND origin IN ('JFK','SFO','ORD')", 121),
                        new Watch(FLIGHTS, "distance > 2500", 218),
                        new Watch(EARTHQUAKES, "/properties/mag >= 4.5", 85),
                        new Watch(
                                EARTHQUAKES, "/properties/place LIKE '%Alaska' AND /properties/felt IS NOT NULL", 16)));
    }

    int messageCount() {
        return feeds.stream().mapToInt(Feed::count).sum();
    }
}
