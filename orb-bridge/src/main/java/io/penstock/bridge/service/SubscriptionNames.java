package io.penstock.bridge.service;

import io.penstock.client.Bookmark;
import io.penstock.client.BookmarkStore;
import io.penstock.orb.BrokerException;
import io.penstock.orb.DeliveryWithHeaders;
import io.penstock.protocol.ErrorCode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The names of subscriptions, and how far each has come. A user has as many as he may, so that nobody uses up those of all,
 * until he forgets some. A name is kept from when it is taken, so that there is room to note it. Threads take turns.
 *
 * <p>A name is noted with its user before it, and the length of the user before that: whatever the two are made of, no two
 * users have one name.
 */
final class SubscriptionNames {
    /** Most names of one user. */
    static final int COUNT_MAX_FOR_EACH = 256;

    /** Most characters of a name. */
    static final int LENGTH_MAX = 256;

    private final BookmarkStore bookmarks;
    private final Set<String> known;
    private final Set<String> used = new HashSet<>();

    SubscriptionNames(final BookmarkStore bookmarks) {
        this.bookmarks = bookmarks;
        known = new HashSet<>(bookmarks.names());
    }

    /**
     * Keeps a name for one subscription.
     *
     * @param user that has it.
     * @param name that he gives; empty = none.
     * @return under which it is noted; empty = it has none.
     * @throws BrokerException when it is in use, or there are too many.
     */
    synchronized String take(final String user, final String name) throws BrokerException {
        if (name.isEmpty()) {
            return "";
        }
        final String prefix = prefix(user);
        final String whole = prefix + name;
        if (!known.contains(whole)) {
            checkRoom(prefix, name);
        } else if (used.contains(whole)) {
            throw inUse("subscribe", name);
        }
        known.add(whole);
        used.add(whole);
        return whole;
    }

    private static String prefix(final String user) {
        return user.length() + ":" + user + "/";
    }

    private void checkRoom(final String prefix, final String name) throws BrokerException {
        if (name.length() > LENGTH_MAX) {
            throw Refusals.of(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: the name is too long: " + name.length() + " characters (use at most " + LENGTH_MAX
                            + ")");
        }
        final long count =
                known.stream().filter(each -> each.startsWith(prefix)).count();
        if (count >= COUNT_MAX_FOR_EACH) {
            throw Refusals.of(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: no more than " + COUNT_MAX_FOR_EACH + " names of one user: " + name
                            + " (forget those of the past)");
        }
        if (known.size() >= BookmarkStore.NAME_LIMIT) {
            throw Refusals.of(
                    ErrorCode.LIMIT_REACHED,
                    "subscribe: no more than " + BookmarkStore.NAME_LIMIT + " names of all users: " + name
                            + " (forget those of the past)");
        }
    }

    private static BrokerException inUse(final String what, final String name) {
        return Refusals.of(
                ErrorCode.DUPLICATE_SUBSCRIPTION,
                what + ": the name is in use: " + name + " (end the other one first)");
    }

    /** How far it has come. */
    synchronized Bookmark last(final String whole) {
        return whole.isEmpty() ? Bookmark.NONE : bookmarks.last(whole);
    }

    /** All up to there is processed. */
    synchronized void note(final String whole, final Bookmark processed) {
        for (int shard = 0; shard < BridgeService.SHARD_COUNT_MAX && known.contains(whole); shard++) {
            final long sequence = processed.sequence(shard);
            if (sequence >= 0) {
                bookmarks.note(whole, shard, sequence);
            }
        }
    }

    /** These are processed. Nothing is noted of a name that was forgotten meanwhile. */
    synchronized void note(final String whole, final List<DeliveryWithHeaders> processed) {
        if (known.contains(whole)) {
            for (final DeliveryWithHeaders each : processed) {
                bookmarks.note(whole, each.message().shard(), each.message().sequence());
            }
        }
    }

    /** Its subscription has ended. A name of which nothing was noted is not kept. */
    synchronized void give(final String whole) {
        used.remove(whole);
        if (bookmarks.last(whole).equals(Bookmark.NONE)) {
            known.remove(whole);
        }
    }

    /** Forgets a name of a user, if he has it. */
    synchronized void forget(final String user, final String name) throws BrokerException {
        final String whole = prefix(user) + name;
        if (used.contains(whole)) {
            throw inUse("forget", name);
        }
        if (known.remove(whole)) {
            bookmarks.forget(whole);
        }
    }
}
