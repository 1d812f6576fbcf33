package io.penstock.client.engine;

import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** The queries of a client that were sent and are not answered yet. Owned by the agent. */
final class Queries {
    private final Long2ObjectHashMap<Query> queryById = new Long2ObjectHashMap<>();
    private final Subscriptions subscriptions;

    Queries(final Subscriptions subscriptions) {
        this.subscriptions = subscriptions;
    }

    void add(final Query query) {
        queryById.put(query.id(), query);
    }

    void remove(final Query query) {
        queryById.remove(query.id());
    }

    @Nullable
    Query find(final long id) {
        return queryById.get(id);
    }

    /** Notifies the broker as soon as there is room. Its answer, a refusal of the query, removes the query. */
    void cancel(final Query query) {
        subscriptions.unsubscribe(query.id());
    }
}
