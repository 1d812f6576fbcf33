package io.penstock.examples;

import io.penstock.broker.security.AuthenticationExchange;
import io.penstock.broker.security.AuthenticationMechanism;
import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.AuthenticationStep.Validity;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.broker.security.PlainMessage;
import io.penstock.broker.security.Principal;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.naming.AuthenticationException;
import javax.naming.Context;
import javax.naming.InvalidNameException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.SizeLimitExceededException;
import javax.naming.directory.Attribute;
import javax.naming.directory.SearchControls;
import javax.naming.directory.SearchResult;
import javax.naming.ldap.InitialLdapContext;
import javax.naming.ldap.LdapContext;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.naming.ldap.StartTlsRequest;
import javax.naming.ldap.StartTlsResponse;
import javax.net.ssl.SSLContext;

/**
 * Users of an LDAP directory: a client gives user and password, with which this binds at the directory; groups with the user as a
 * member are its roles. For a broker without a file of users:
 *
 * <pre>{@code
 * SecurityConfig.defaults().withMechanisms(List.of(new LdapMechanism(settings, SSLContext.getDefault())));
 * }</pre>
 *
 * <p>The connection to the directory is encrypted by StartTLS, and nothing is sent before. The broker calls this on threads of its
 * own, which wait here for as long as the settings say. Safe on any thread.
 */
public final class LdapMechanism implements AuthenticationMechanism {
    private static final int ROLE_COUNT_MAX = 256;

    private final Settings settings;
    private final SSLContext trusted;
    private final Semaphore connections;

    /**
     * Where users and groups are.
     *
     * @param url                of the directory, {@code ldap://HOST:PORT}.
     * @param userBase           entry that users are directly below, such as {@code ou=people,dc=example,dc=com}.
     * @param userAttribute      that names a user there, such as {@code uid}.
     * @param groupBase          entry that groups are below.
     * @param timeout            of each step: connecting, an answer, waiting for another log-on to be done.
     * @param connectionCountMax most connections to the directory at once; further log-ons wait.
     * @param validity           after which a session ends, so that its client logs on again: by then a change in the directory
     *                           has taken effect.
     */
    public record Settings(
            String url,
            String userBase,
            String userAttribute,
            String groupBase,
            Duration timeout,
            int connectionCountMax,
            Duration validity) {
        public Settings {
            if (!url.startsWith("ldap://")) {
                throw new IllegalArgumentException("ldap.url: not ldap://HOST:PORT: " + url);
            }
        }
    }

    /**
     * Makes it. Nothing is connected to yet.
     *
     * @param settings where users and groups are.
     * @param trusted  authorities that sign the directory's certificate, which has to be for the host of its address.
     */
    public LdapMechanism(final Settings settings, final SSLContext trusted) {
        this.settings = settings;
        this.trusted = trusted;
        connections = new Semaphore(settings.connectionCountMax());
    }

    @Override
    public String name() {
        return "PLAIN";
    }

    /** A directory has to see the password, so it is taken only where nobody else can read it. */
    @Override
    public boolean isOffered(final Logon logon) {
        return logon.local() || logon.identity().isEncrypted();
    }

    @Override
    public AuthenticationExchange begin(final Logon logon) {
        return message -> {
            final PlainMessage plain = PlainMessage.parse(message);
            if (plain == null || plain.user().isEmpty() || plain.password().isEmpty()) {
                // A bind without a password would succeed: to a directory it is one of nobody (RFC 4513, 5.1.2).
                return new Refused("ldap: no user or no password");
            }
            if (!plain.user().equals(logon.user()) || plain.user().equals(Principal.ANONYMOUS.name())) {
                return new Refused("ldap: another user than in the log-on, or a name that nobody may have");
            }
            try {
                if (!connections.tryAcquire(settings.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
                    return new Refused("ldap: too many log-ons at once (raise connectionCountMax, or look at the directory)");
                }
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Refused("ldap: interrupted");
            }
            try {
                return ask(plain.user(), plain.password());
            } finally {
                connections.release();
            }
        };
    }

    private AuthenticationStep ask(final String user, final String password) {
        try {
            // Whatever characters the name has, it is the value of one attribute.
            final LdapName entry = new LdapName(settings.userBase());
            entry.add(new Rdn(settings.userAttribute(), user));
            return connected(entry, user, password);
        } catch (final AuthenticationException | InvalidNameException e) {
            return new Refused("ldap: the directory does not know user and password");
        } catch (final NamingException | IOException e) {
            return new Refused("ldap: " + settings.url() + " cannot be asked: " + reasonOf(e)
                    + " (see whether it runs, speaks StartTLS, and has a certificate that is trusted)");
        }
    }

    private static String reasonOf(final Throwable error) {
        final Throwable cause = error instanceof NamingException naming ? naming.getRootCause() : null;
        return cause == null ? String.valueOf(error.getMessage()) : error.getMessage() + ": " + cause.getMessage();
    }

    private AuthenticationStep connected(final LdapName entry, final String user, final String password)
            throws NamingException, IOException {
        final Hashtable<String, Object> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.ldap.LdapCtxFactory");
        environment.put(Context.PROVIDER_URL, settings.url());
        environment.put(Context.REFERRAL, "ignore");
        final String timeoutMs = Long.toString(settings.timeout().toMillis());
        environment.put("com.sun.jndi.ldap.connect.timeout", timeoutMs);
        environment.put("com.sun.jndi.ldap.read.timeout", timeoutMs);
        final LdapContext context = new InitialLdapContext(environment, null);
        try {
            final StartTlsResponse tls = (StartTlsResponse) context.extendedOperation(new StartTlsRequest());
            try {
                tls.negotiate(new TimedSockets(
                        trusted.getSocketFactory(), (int) settings.timeout().toMillis()));
                context.addToEnvironment(Context.SECURITY_AUTHENTICATION, "simple");
                context.addToEnvironment(Context.SECURITY_PRINCIPAL, entry.toString());
                context.addToEnvironment(Context.SECURITY_CREDENTIALS, password);
                context.reconnect(null);
                return admitted(context, entry, user);
            } finally {
                tls.close();
            }
        } finally {
            context.close();
        }
    }

    private AuthenticationStep admitted(final LdapContext context, final LdapName entry, final String user)
            throws NamingException {
        // A directory takes ANN for ann, and two spaces for one; the broker would take them for two users.
        final Attribute written =
                context.getAttributes(entry, new String[] {settings.userAttribute()}).get(settings.userAttribute());
        if (written == null || !written.contains(user)) {
            return new Refused("ldap: the directory writes the user's name otherwise");
        }
        final Set<String> roles = new HashSet<>();
        final SearchControls controls = new SearchControls(
                SearchControls.SUBTREE_SCOPE,
                ROLE_COUNT_MAX,
                (int) settings.timeout().toMillis(),
                new String[] {"cn"},
                false,
                false);
        // The value is escaped where it stands in the filter.
        final NamingEnumeration<SearchResult> groups = context.search(
                new LdapName(settings.groupBase()),
                "(|(&(objectClass=groupOfNames)(member={0}))(&(objectClass=groupOfUniqueNames)(uniqueMember={0})))",
                new Object[] {entry.toString()},
                controls);
        try {
            while (groups.hasMore()) {
                final Attribute name = groups.next().getAttributes().get("cn");
                if (name != null) {
                    roles.add(String.valueOf(name.get()));
                }
            }
        } catch (final SizeLimitExceededException e) {
            return new Refused("ldap: a member of more than " + ROLE_COUNT_MAX + " groups");
        } finally {
            groups.close();
        }
        return new Admitted(
                new Principal(user, roles, Map.of()),
                new byte[0],
                settings.validity().toNanos(),
                Validity.ALWAYS);
    }
}
