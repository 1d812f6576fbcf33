package io.penstock.broker.session.connect;

import io.penstock.broker.security.Identity;
import io.penstock.broker.security.Principal;
import io.penstock.broker.session.client.Session;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of one I/O agent whose clients have not logged on, in the order in which they connected. Beyond as many of one
 * address, or of all, the oldest has to go: who wants something logs on at once, so that an honest client gets in beside
 * any number of silent ones. Confined to that agent.
 */
final class Newcomers {
    private static final int COUNT_MIN = 64;

    private final int addressCountMax;
    private final int countMax;
    private final Set<Session> all = new LinkedHashSet<>();
    private final Map<String, Set<Session>> byAddress = new HashMap<>();

    /**
     * None so far.
     *
     * @param sessionCountMax of which half may not have logged on, and a quarter from one address; 64 in any case.
     */
    Newcomers(final int sessionCountMax) {
        addressCountMax = Math.max(COUNT_MIN, sessionCountMax / 4);
        countMax = Math.max(COUNT_MIN, sessionCountMax / 2);
    }

    /**
     * A client has connected.
     *
     * @param session of it.
     * @return the session that has to end for it, which is none of these any more, or null.
     */
    @Nullable
    Excess add(final Session session) {
        final String address = address(session);
        final Set<Session> same = byAddress.computeIfAbsent(address, of -> new LinkedHashSet<>());
        @Nullable Excess excess = null;
        if (same.size() >= addressCountMax) {
            excess = new Excess(oldest(same), address, addressCountMax);
        } else if (all.size() >= countMax) {
            excess = new Excess(oldest(all), "all clients", countMax);
        }
        same.add(session);
        all.add(session);
        if (excess != null) {
            remove(excess.session());
        }
        return excess;
    }

    /** A client has logged on, or its session ends. Does nothing for one that is not known. */
    void remove(final Session session) {
        if (all.remove(session)) {
            byAddress.computeIfPresent(address(session), (of, same) -> {
                same.remove(session);
                return same.isEmpty() ? null : same;
            });
        }
    }

    /** How many there are. */
    int count() {
        return all.size();
    }

    private static Session oldest(final Set<Session> sessions) {
        final Iterator<Session> iterator = sessions.iterator();
        return iterator.next();
    }

    private static String address(final Session session) {
        return Identity.of(
                Principal.ANONYMOUS,
                session.connection().peer(),
                session.connection().isLocal());
    }

    /**
     * A session that has to end.
     *
     * @param session that has waited longest.
     * @param whose   those are that are too many.
     * @param count   of them that there may be.
     */
    record Excess(Session session, String whose, int count) {}
}
