package io.penstock.system.permission;

import io.penstock.broker.security.PermissionRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule of a role.
 *
 * @param isAllow   or denies.
 * @param words     for actions.
 * @param topics    names, beginnings, expressions between slashes.
 * @param condition of the messages that it is about; null for every one.
 * @param hide      fields that it does not show.
 */
record Rule(
        boolean isAllow,
        List<String> words,
        List<String> topics,
        @Nullable Condition condition,
        List<String> hide) {
    PermissionRule toRule() {
        final String filter = condition == null ? "" : condition.text();
        return isAllow
                ? PermissionRule.allow(words, topics, filter).hiding(hide)
                : PermissionRule.deny(words, topics, filter);
    }

    @Override
    public String toString() {
        return (isAllow ? "allow " : "deny ") + words + " on " + topics
                + (condition == null ? "" : " where " + condition.text())
                + (hide.isEmpty() ? "" : " without " + hide);
    }
}
