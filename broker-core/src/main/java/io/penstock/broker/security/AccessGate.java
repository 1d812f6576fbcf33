package io.penstock.broker.security;

import io.penstock.broker.security.Authenticator.Logon;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * The one choke point through which every command of every transport passes. Nothing else in the broker calls an
 * {@link Authenticator} or {@link Authorizer}. Safe on any thread as far as those are; a failure of theirs is a refusal.
 */
public final class AccessGate {
    private final Authenticator authenticator;
    private final AtomicReference<State> state;
    private final AnonymousAdministration anonymous;

    /** The last change that each I/O agent has applied, by its index. */
    private final ConcurrentHashMap<Integer, Long> applied = new ConcurrentHashMap<>();

    private final ErrorHandler errorHandler;

    /**
     * Makes the gate.
     *
     * @param authenticator decides who a client is.
     * @param authorizer    decides what it may do.
     * @param anonymous     which clients that proved nothing may administer the broker.
     * @param errorHandler  gets what either of them throws.
     */
    public AccessGate(
            final Authenticator authenticator,
            final Authorizer authorizer,
            final AnonymousAdministration anonymous,
            final ErrorHandler errorHandler) {
        this.authenticator = authenticator;
        state = new AtomicReference<>(new State(authorizer, 0));
        this.anonymous = anonymous;
        this.errorHandler = errorHandler;
    }

    /**
     * Another one decides from now on what clients may do.
     *
     * @param authorizer whose decisions hold for what begins from now on; I/O agents look again at what has begun.
     * @return the number of this change.
     */
    public long authorizer(final Authorizer authorizer) {
        return Objects.requireNonNull(
                        state.updateAndGet(before -> new State(authorizer, Objects.requireNonNull(before).version + 1)))
                .version;
    }

    /**
     * An I/O agent has had a change hold for what its clients have begun.
     *
     * @param ioAgent index of the agent.
     * @param version number of the change.
     */
    public void onApplied(final int ioAgent, final long version) {
        applied.put(ioAgent, version);
    }

    /**
     * Whether the last change holds for all that clients have begun.
     *
     * @param ioAgentCount I/O agents that there are.
     */
    public boolean isApplied(final int ioAgentCount) {
        final long version = version();
        for (int i = 0; i < ioAgentCount; i++) {
            if (applied.getOrDefault(i, 0L) < version) {
                return false;
            }
        }
        return true;
    }

    /** How often the one who decides has changed. */
    public long version() {
        return state().version;
    }

    /**
     * Lets a client in.
     *
     * @param logon what it gave.
     * @return who it is, or null when it is refused.
     */
    public @Nullable Principal admit(final Logon logon) {
        final Principal principal;
        try {
            principal = authenticator.authenticate(logon);
        } catch (final RuntimeException e) {
            errorHandler.onError(e);
            return null;
        }
        return principal != null && allows(principal, Action.CONNECT, "") ? principal : null;
    }

    /**
     * Whether a client may do something that is an administrator's.
     *
     * @param principal who it is.
     * @param isLocal   whether its connection cannot leave this machine.
     * @param action    what it wants.
     * @param about     whom or what, or empty.
     * @return true to let it happen.
     */
    public boolean allowsAdministration(
            final Principal principal, final boolean isLocal, final Action action, final String about) {
        final boolean isKnown = !principal.equals(Principal.ANONYMOUS)
                || anonymous == AnonymousAdministration.ALL
                || (anonymous == AnonymousAdministration.LOCAL && isLocal);
        return isKnown && allows(principal, action, about);
    }

    /**
     * Whether a client may do something.
     *
     * @param principal who it is.
     * @param action    what it wants.
     * @param topic     it is about, or empty.
     * @return true to let it happen.
     */
    public boolean allows(final Principal principal, final Action action, final String topic) {
        try {
            return state().authorizer.isAllowed(principal, action, topic);
        } catch (final RuntimeException e) {
            errorHandler.onError(e);
            return false;
        }
    }

    /**
     * Which messages of each topic a client may do something with.
     *
     * @param principal who it is.
     * @param actions   all of which it needs.
     * @return null when that does not depend on the messages.
     */
    public @Nullable Entitlement entitlement(final Principal principal, final List<Action> actions) {
        return state().authorizer.entitlement(principal, actions);
    }

    /**
     * The condition that messages of a topic have to satisfy for a client to do something with them.
     *
     * @param principal who it is.
     * @param actions   all of which it needs.
     * @param topic     name of it.
     * @return text in canonical form; empty for every message, null when an action is denied.
     */
    public @Nullable String condition(final Principal principal, final List<Action> actions, final String topic) {
        try {
            final Entitlement entitlement = entitlement(principal, actions);
            if (entitlement != null) {
                return entitlement.condition(topic);
            }
        } catch (final RuntimeException e) {
            errorHandler.onError(e);
            return null;
        }
        for (final Action action : actions) {
            if (!allows(principal, action, topic)) {
                return null;
            }
        }
        return "";
    }

    /**
     * What a client may do with the messages of a topic.
     *
     * @param principal who it is.
     * @param topic     name of it.
     * @return the conditions.
     */
    public TopicRights rights(final Principal principal, final String topic) {
        return new TopicRights(
                condition(principal, Action.PUBLISH, topic),
                condition(principal, List.of(Action.PUBLISH, Action.DELTA), topic),
                condition(principal, Action.SUBSCRIBE, topic),
                condition(principal, Action.QUERY, topic),
                condition(principal, Action.REPLAY, topic),
                condition(principal, Action.DELETE, topic));
    }

    private @Nullable String condition(final Principal principal, final Action action, final String topic) {
        return condition(principal, List.of(action), topic);
    }

    private State state() {
        return Objects.requireNonNull(state.get());
    }

    /** Who decides, and how many did before. */
    private record State(Authorizer authorizer, long version) {}
}
