package io.penstock.broker.security;

import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Asks an {@link Authorizer}, which may be a program's own: whatever it throws is reported, and a refusal. So is a condition that
 * is no filter. Safe on any thread as far as the authorizer is.
 */
final class AskedAuthorizer {
    private final Authorizer authorizer;
    private final GateReports reports;

    AskedAuthorizer(final Authorizer authorizer, final GateReports reports) {
        this.authorizer = authorizer;
        this.reports = reports;
    }

    Authorizer authorizer() {
        return authorizer;
    }

    boolean isAllowed(final Principal principal, final Action action, final String topic) {
        try {
            return authorizer.isAllowed(principal, action, topic);
        } catch (final RuntimeException | Error e) {
            reports.onAuthorizerFailed(e);
            return false;
        }
    }

    IdentityQuotas quotas(final Principal principal) {
        try {
            return authorizer.quotas(principal);
        } catch (final RuntimeException | Error e) {
            reports.onAuthorizerFailed(e);
            return IdentityQuotas.UNSAID;
        }
    }

    /** Null when what is allowed does not depend on messages; one that allows nothing when it cannot be decided. */
    @Nullable
    Entitlement entitlement(final Principal principal, final List<Action> actions) {
        try {
            return authorizer.entitlement(principal, actions);
        } catch (final RuntimeException | Error e) {
            reports.onAuthorizerFailed(e);
            return Entitlement.NOTHING;
        }
    }

    /** Empty for every message, null when an action is denied or nothing can be decided. */
    @Nullable
    String condition(final Principal principal, final List<Action> actions, final String topic) {
        if (authorizer instanceof Permissions permissions) {
            return condition(permissions, principal, actions, topic);
        }
        try {
            final String condition = authorizer.condition(principal, actions, topic);
            // A program may say what is no filter, or is one in its own words.
            return condition == null || condition.isEmpty()
                    ? condition
                    : FilterCompiler.canonicalText(condition, FilterLimits.COMBINED);
        } catch (final RuntimeException | Error e) {
            reports.onAuthorizerFailed(e);
            return null;
        }
    }

    private @Nullable String condition(
            final Permissions permissions, final Principal principal, final List<Action> actions, final String topic) {
        final String condition = permissions.condition(principal, actions, topic);
        if (condition == null && permissions.isTooLong(principal, actions, topic)) {
            reports.onFiltersTooLong(principal.name(), ActionWord.of(actions) + " " + topic);
        }
        return condition;
    }

    /** None when all fields are shown, null when that cannot be decided. */
    @Nullable
    FieldSelection hidden(final Principal principal, final String topic) {
        try {
            return authorizer.hidden(principal, topic);
        } catch (final RuntimeException | Error e) {
            reports.onAuthorizerFailed(e);
            return null;
        }
    }

    /** Whether the rules allow something, but their filters are too long together for it to be done. */
    boolean isTooLong(final Principal principal, final List<Action> actions, final String topic) {
        return authorizer instanceof Permissions permissions && permissions.isTooLong(principal, actions, topic);
    }
}
