package io.penstock.broker.security;

import io.penstock.format.FieldSelection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides what a client may do. Called by I/O agents; must be thread-safe and must not block. */
@FunctionalInterface
public interface Authorizer {
    /** Everyone may do everything: for brokers that only this machine can reach. */
    Authorizer ALL = (principal, action, topic) -> true;

    /**
     * Checks one action.
     *
     * @param principal who asks.
     * @param action    what is asked.
     * @param topic     it is about: a name, never a pattern unless the action says so; empty when about none.
     * @return true to let it happen.
     */
    boolean isAllowed(Principal principal, Action action, String topic);

    /**
     * What a client may do with the messages of each topic, if that depends on what is in them.
     *
     * @param principal who asks.
     * @param actions   all of which have to be allowed.
     * @return null when {@link #isAllowed} says all there is to say.
     */
    default @Nullable Entitlement entitlement(final Principal principal, final List<Action> actions) {
        return null;
    }

    /**
     * Fields of a topic's messages that a client does not see, whichever way it reads them.
     *
     * @param principal who asks.
     * @param topic     name of it.
     * @return none, when all are shown.
     */
    default FieldSelection hidden(final Principal principal, final String topic) {
        final Entitlement entitlement = entitlement(principal, List.copyOf(ActionWord.READ));
        return entitlement == null ? FieldSelection.NONE : entitlement.hidden(topic);
    }

    /**
     * What all sessions of a client's identity may use together, if that depends on its roles.
     *
     * @param principal who has logged on.
     * @return bounds; those of which nothing is said are the broker's.
     */
    default IdentityQuotas quotas(final Principal principal) {
        return IdentityQuotas.UNSAID;
    }

    /**
     * The condition that messages of a topic have to satisfy for a client to do something with them.
     *
     * @param principal who asks.
     * @param actions   all of which have to be allowed.
     * @param topic     name of it.
     * @return text in canonical form; empty for every message, null when an action is denied.
     */
    default @Nullable String condition(final Principal principal, final List<Action> actions, final String topic) {
        final Entitlement entitlement = entitlement(principal, actions);
        if (entitlement != null) {
            return entitlement.condition(topic);
        }
        for (final Action action : actions) {
            if (!isAllowed(principal, action, topic)) {
                return null;
            }
        }
        return "";
    }
}
