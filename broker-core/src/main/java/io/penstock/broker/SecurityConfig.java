package io.penstock.broker;

import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.AnonymousLogon;
import io.penstock.broker.security.AuthenticationMechanism;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.PlainPasswords;
import java.util.List;

/**
 * Which clients may connect, and what they may do.
 *
 * @param authenticator           decides who a client is that gives a user and a password.
 * @param authorizer              decides what it may do.
 * @param allowInsecureListen     whether endpoints that other machines can reach may be listened on without an
 *                                authenticator and encryption.
 * @param anonymousAdministration which clients that proved nothing may administer the broker, if the authorizer lets
 *                                them.
 * @param users                   path of the file of users; empty for none.
 * @param anonymous               which clients may log on without proving who they are.
 * @param plain          on which connections a password may come in clear.
 * @param tokens                  by which clients may prove who they are.
 * @param mechanisms              other ways to prove who a client is, of the embedding program.
 */
public record SecurityConfig(
        Authenticator authenticator,
        Authorizer authorizer,
        boolean allowInsecureListen,
        AnonymousAdministration anonymousAdministration,
        String users,
        AnonymousLogon anonymous,
        PlainPasswords plain,
        TokenConfig tokens,
        List<AuthenticationMechanism> mechanisms) {
    public SecurityConfig {
        mechanisms = List.copyOf(mechanisms);
        if (!users.isEmpty() && !authenticator.equals(Authenticator.NONE)) {
            throw new IllegalArgumentException("security.users: " + users
                    + " beside an authenticator (give one of them;" + " a mechanism can stand beside users)");
        }
        if (mechanisms.stream().map(AuthenticationMechanism::name).distinct().count() < mechanisms.size()) {
            throw new IllegalArgumentException("security.mechanisms: two of one name (give each its own)");
        }
    }

    /**
     * A configuration without a file of users.
     *
     * @param authenticator           decides who a client is.
     * @param authorizer              decides what it may do.
     * @param allowInsecureListen     whether endpoints that other machines can reach may be listened on.
     * @param anonymousAdministration which clients that proved nothing may administer the broker.
     */
    public SecurityConfig(
            final Authenticator authenticator,
            final Authorizer authorizer,
            final boolean allowInsecureListen,
            final AnonymousAdministration anonymousAdministration) {
        this(
                authenticator,
                authorizer,
                allowInsecureListen,
                anonymousAdministration,
                "",
                AnonymousLogon.DEFAULT,
                PlainPasswords.SECURE,
                TokenConfig.none(),
                List.of());
    }

    /**
     * A configuration by which clients of this machine may administer the broker.
     *
     * @param authenticator       decides who a client is.
     * @param authorizer          decides what it may do.
     * @param allowInsecureListen whether endpoints that other machines can reach may be listened on.
     */
    public SecurityConfig(
            final Authenticator authenticator, final Authorizer authorizer, final boolean allowInsecureListen) {
        this(authenticator, authorizer, allowInsecureListen, AnonymousAdministration.LOCAL);
    }

    /** The same, with other anonymous clients that may administer the broker. */
    SecurityConfig withAnonymousAdministration(final AnonymousAdministration value) {
        return new SecurityConfig(
                authenticator, authorizer, allowInsecureListen, value, users, anonymous, plain, tokens, mechanisms);
    }

    public static SecurityConfig defaults() {
        return new SecurityConfig(Authenticator.NONE, Authorizer.ALL, false);
    }

    /** Whether clients can prove that they are users. */
    public boolean knowsUsers() {
        return !users.isEmpty()
                || tokens.isUsed()
                || !mechanisms.isEmpty()
                || !authenticator.equals(Authenticator.NONE);
    }

    /**
     * The same with a file of users.
     *
     * @param path of the file.
     * @return another configuration.
     */
    public SecurityConfig withUsers(final String path) {
        return new SecurityConfig(
                authenticator,
                authorizer,
                allowInsecureListen,
                anonymousAdministration,
                path,
                anonymous,
                plain,
                tokens,
                mechanisms);
    }

    /**
     * The same with another rule for clients that prove nothing.
     *
     * @param which may log on.
     * @return another configuration.
     */
    public SecurityConfig withAnonymous(final AnonymousLogon which) {
        return new SecurityConfig(
                authenticator,
                authorizer,
                allowInsecureListen,
                anonymousAdministration,
                users,
                which,
                plain,
                tokens,
                mechanisms);
    }

    /**
     * The same with tokens.
     *
     * @param accepted which ones.
     * @return another configuration.
     */
    public SecurityConfig withTokens(final TokenConfig accepted) {
        return new SecurityConfig(
                authenticator,
                authorizer,
                allowInsecureListen,
                anonymousAdministration,
                users,
                anonymous,
                plain,
                accepted,
                mechanisms);
    }

    /**
     * The same with other ways to prove who a client is.
     *
     * @param added after those that are there.
     * @return another configuration.
     */
    public SecurityConfig withMechanisms(final List<AuthenticationMechanism> added) {
        return new SecurityConfig(
                authenticator,
                authorizer,
                allowInsecureListen,
                anonymousAdministration,
                users,
                anonymous,
                plain,
                tokens,
                added);
    }
}
