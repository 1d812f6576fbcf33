package io.penstock.admin.api;

import io.penstock.admin.http.Json;
import io.penstock.admin.http.ProblemException;
import io.penstock.admin.http.Request;
import io.penstock.broker.monitor.Part;
import io.penstock.broker.monitor.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/** Pages of lists. */
final class Pages {
    private static final int LIMIT_DEFAULT = 100;
    private static final int LIMIT_MAX = 1000;

    /** Parts that agents are asked for to make one page, before it is answered as it is. */
    private static final int PART_COUNT_MAX = 64;

    private Pages() {}

    /** How many items a request asks for. */
    static int limit(final Request request) {
        return request.parameter("limit", LIMIT_DEFAULT, 1, LIMIT_MAX);
    }

    /** The place in a list of agents that a request asks for. */
    static Place place(final Request request) {
        final String cursor = request.parameter("cursor");
        try {
            return cursor.isEmpty() ? Place.START : Place.parse(cursor);
        } catch (final IllegalArgumentException e) {
            throw new ProblemException(400, "BAD_CURSOR", String.valueOf(e.getMessage()));
        }
    }

    /** A page that has just begun. */
    static Json begin() {
        return new Json().begin().beginArray("items");
    }

    /** The same page, when it is complete. */
    static Json end(final Json page, final String next) {
        page.endArray();
        if (!next.isEmpty()) {
            page.field("next", next);
        }
        return page.end();
    }

    /**
     * Collects a page from parts of agents.
     *
     * @param ask     for a part.
     * @param from    where it begins.
     * @param limit   of its items.
     * @param thread  on which it goes on.
     * @param wanted  which items belong to it.
     */
    static <T> CompletableFuture<Part<T>> collect(
            final BiFunction<Place, Integer, CompletableFuture<Part<T>>> ask,
            final Place from,
            final int limit,
            final Executor thread,
            final Predicate<T> wanted) {
        return collect(ask, from, limit, thread, wanted, new ArrayList<>(), 1);
    }

    private static <T> CompletableFuture<Part<T>> collect(
            final BiFunction<Place, Integer, CompletableFuture<Part<T>>> ask,
            final Place from,
            final int limit,
            final Executor thread,
            final Predicate<T> wanted,
            final List<T> items,
            final int partCount) {
        return ask.apply(from, limit - items.size())
                .thenComposeAsync(
                        part -> {
                            part.items().stream().filter(wanted).forEach(items::add);
                            if (part.next().isEnd() || items.size() >= limit || partCount == PART_COUNT_MAX) {
                                return CompletableFuture.completedFuture(new Part<>(items, part.next()));
                            }
                            return collect(ask, part.next(), limit, thread, wanted, items, partCount + 1);
                        },
                        thread);
    }
}
