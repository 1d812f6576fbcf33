package io.penstock.broker.security.user;

import io.penstock.protocol.scram.ScramKeys;
import io.penstock.protocol.scram.ScramVerifier;
import io.penstock.transport.PeerIdentity;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All users at one time, and how they are found. Immutable. */
final class UserTable {
    private static final int SALT_LENGTH = 16;

    private final Map<String, User> byName = new HashMap<>();
    private final Map<String, User> byCertificate = new HashMap<>();
    private final Map<Integer, User> byUid = new HashMap<>();
    private final byte[] secret;
    private final int[] iterations;

    /**
     * Makes one.
     *
     * @param users  in any order.
     * @param secret of which salts of users are made that there are not.
     */
    UserTable(final Collection<User> users, final byte[] secret) {
        this.secret = secret;
        final List<Integer> counts = new ArrayList<>();
        for (final User user : users) {
            put("user", byName, user.name(), user);
            user.certificates().forEach(name -> put("certificate", byCertificate, PeerNames.canonical(name), user));
            user.uids().forEach(uid -> put("uid", byUid, uid, user));
            final ScramVerifier verifier = user.verifier();
            if (verifier != null) {
                counts.add(verifier.iterations());
            }
        }
        iterations = counts.isEmpty()
                ? new int[] {ScramVerifier.ITERATIONS_DEFAULT}
                : counts.stream().mapToInt(Integer::intValue).toArray();
    }

    private static <K> void put(final String what, final Map<K, User> map, final K key, final User user) {
        final User before = map.put(key, user);
        if (before != null) {
            throw new IllegalArgumentException(what + ": twice: " + key
                    + (what.equals("user") ? "" : ", of " + before.name() + " and of " + user.name())
                    + " (give each its own)");
        }
    }

    /** The names of all users, in no order. */
    Set<String> names() {
        return Collections.unmodifiableSet(byName.keySet());
    }

    /** All users, by name. */
    List<User> users() {
        return byName.values().stream()
                .sorted(Comparator.comparing(User::name))
                .toList();
    }

    @Nullable
    User find(final String name) {
        return byName.get(name);
    }

    /** The user that a connection proves; null when it proves none, or several. */
    @Nullable
    User find(final PeerIdentity identity) {
        if (identity.certificates().isEmpty()) {
            return byUid.get(identity.userId());
        }
        final X509Certificate own = identity.certificates().get(0);
        User found = null;
        for (final String name : PeerNames.of(own)) {
            final User user = byCertificate.get(name);
            if (user != null && found != null && !found.equals(user)) {
                return null;
            }
            found = user == null ? found : user;
        }
        return found;
    }

    /** Whether a connection could prove a user. */
    boolean canProve(final PeerIdentity identity) {
        return identity.certificates().isEmpty()
                ? identity.userId() != PeerIdentity.UNKNOWN_USER && !byUid.isEmpty()
                : !byCertificate.isEmpty();
    }

    /**
     * The verifier of a user, or one that nobody can satisfy: always the same salt and count of iterations for the same name,
     * and each count as often as users have it, so that nobody can tell.
     */
    ScramVerifier verifier(final String name) {
        final User user = byName.get(name);
        final ScramVerifier known = user == null ? null : user.verifier();
        if (known != null) {
            return known;
        }
        final byte[] made = ScramKeys.hmac(secret, name.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        final byte[] salt = Arrays.copyOf(made, SALT_LENGTH);
        final int which = Math.floorMod(ByteBuffer.wrap(made).getInt(SALT_LENGTH), iterations.length);
        return new ScramVerifier(
                salt, iterations[which], ScramKeys.random(ScramKeys.LENGTH), ScramKeys.random(ScramKeys.LENGTH));
    }
}
