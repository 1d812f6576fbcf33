package io.penstock.standalone.cluster;

import io.penstock.client.LogPlace;
import io.penstock.client.MessageView;
import io.penstock.client.PenstockClient;
import io.penstock.client.ReplayRequest;
import java.util.ArrayList;
import java.util.List;

/** Reads the log of one node from its beginning, and keeps what it has seen. Written by its client's thread, read by another. */
final class DemoReader implements AutoCloseable {
    private final PenstockClient client;
    private final List<String> seen = new ArrayList<>();

    DemoReader(final String endpoint, final String topic) {
        client = PenstockClient.connect(endpoint);
        client.subscribe(ReplayRequest.topic(topic).from(LogPlace.BEGINNING), this::onMessage);
    }

    private void onMessage(final MessageView message) {
        final String line = message.shard() + "/" + message.sequence() + " " + message.text();
        synchronized (seen) {
            seen.add(line);
        }
    }

    int count() {
        synchronized (seen) {
            return seen.size();
        }
    }

    /** Shard, sequence and text of each message, as it came. */
    List<String> seen() {
        synchronized (seen) {
            return List.copyOf(seen);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
