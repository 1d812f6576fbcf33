package io.penstock.broker.monitor;

import java.util.Map;
import java.util.Set;

/**
 * What may be told of a user of the broker's file, without what it proves itself with. Immutable.
 *
 * @param name       of it.
 * @param isDisabled whether it may not log on for now.
 * @param roles      that it has.
 * @param attributes that filters of permissions may name.
 * @param proofs     by which it can be known.
 */
public record UserInfo(
        String name, boolean isDisabled, Set<String> roles, Map<String, String> attributes, Proofs proofs) {
    public UserInfo {
        roles = Set.copyOf(roles);
        attributes = Map.copyOf(attributes);
    }

    /**
     * How a user can be known.
     *
     * @param hasPassword  whether it has a password.
     * @param certificates how many names of certificates it has.
     * @param uids         how many users of the system it has.
     */
    public record Proofs(boolean hasPassword, int certificates, int uids) {}
}
