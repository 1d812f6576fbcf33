package io.penstock.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DN;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.RDN;
import io.penstock.broker.Broker;
import io.penstock.broker.BrokerConfig;
import io.penstock.broker.SecurityConfig;
import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.AuthenticationStep;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.AuthenticationStep.Refused;
import io.penstock.broker.security.Authenticator.Logon;
import io.penstock.client.ClientConfig;
import io.penstock.client.ConnectionException;
import io.penstock.client.PenstockClient;
import io.penstock.test.tls.TestAuthority;
import io.penstock.test.tls.TestCertificate;
import io.penstock.transport.PeerIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users of a directory in memory that speaks StartTLS. */
@Timeout(60)
class LdapMechanismTest {
    private static final TestAuthority AUTHORITY = new TestAuthority("authority");
    private static final String BASE = "dc=example,dc=com";
    private static final String PEOPLE = "ou=people," + BASE;
    private static final String GROUPS = "ou=groups," + BASE;

    /** A name of all characters that mean something in names of entries or in filters. */
    private static final String ODD = "a*n(n)=,+\"\\<>;# /\u00fc";

    private InMemoryDirectoryServer directory;

    @BeforeEach
    void serve() throws Exception {
        final InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
        final TestCertificate own = AUTHORITY.issue("directory", "127.0.0.1");
        config.setListenerConfigs(InMemoryListenerConfig.createLDAPConfig(
                "starttls",
                InetAddress.getLoopbackAddress(),
                0,
                context(own, AUTHORITY).getSocketFactory()));
        directory = new InMemoryDirectoryServer(config);
        directory.add(new Entry(BASE, new Attribute("objectClass", "domain"), new Attribute("dc", "example")));
        directory.add(
                new Entry(PEOPLE, new Attribute("objectClass", "organizationalUnit"), new Attribute("ou", "people")));
        directory.add(
                new Entry(GROUPS, new Attribute("objectClass", "organizationalUnit"), new Attribute("ou", "groups")));
        user("ann", "secret");
        user("bob", "other");
        user(ODD, "secret");
        group("trader", "ann");
        group("reader", "ann", "bob");
        group("odd", ODD);
        directory.startListening();
    }

    @AfterEach
    void close() {
        directory.shutDown(true);
    }

    private static String entryOf(final String user) throws LDAPException {
        return new DN(new RDN("uid", user), new DN(PEOPLE)).toString();
    }

    private void user(final String name, final String password) throws LDAPException {
        directory.add(new Entry(
                entryOf(name),
                new Attribute("objectClass", "inetOrgPerson"),
                new Attribute("cn", "somebody"),
                new Attribute("sn", "somebody"),
                new Attribute("uid", name),
                new Attribute("userPassword", password)));
    }

    private void group(final String name, final String... members) throws LDAPException {
        final Entry entry = new Entry("cn=" + name + "," + GROUPS, new Attribute("objectClass", "groupOfNames"));
        entry.addAttribute("cn", name);
        for (final String member : members) {
            entry.addAttribute("member", entryOf(member));
        }
        directory.add(entry);
    }

    private static SSLContext context(final TestCertificate own, final TestAuthority trusted)
            throws GeneralSecurityException, IOException {
        final KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", own.key(), new char[0], own.chain().toArray(new Certificate[0]));
        store.setCertificateEntry("trusted", trusted.certificate());
        final KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        final TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        final SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static SSLContext trusting(final TestAuthority authority) throws GeneralSecurityException, IOException {
        return context(AUTHORITY.issue("client"), authority);
    }

    private static LdapMechanism.Settings settings(final int port, final Duration timeout, final int countMax) {
        return new LdapMechanism.Settings(
                "ldap://127.0.0.1:" + port, PEOPLE, "uid", GROUPS, timeout, countMax, Duration.ofHours(1));
    }

    private LdapMechanism mechanism() throws GeneralSecurityException, IOException {
        return new LdapMechanism(settings(directory.getListenPort(), Duration.ofSeconds(20), 2), trusting(AUTHORITY));
    }

    private static AuthenticationStep ask(final LdapMechanism mechanism, final String user, final String password) {
        final Logon logon = new Logon("", user, "", "tcps://192.0.2.1:1", false, PeerIdentity.UNKNOWN);
        return mechanism.begin(logon).respond(("\0" + user + "\0" + password).getBytes(UTF_8));
    }

    private static void assertRefused(final AuthenticationStep step, final String reason) {
        assertThat(step)
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.reason()).contains(reason).doesNotContain("secret"));
    }

    @Test
    void shouldHaveTheGroupsOfAUserAsItsRoles() throws Exception {
        final Admitted ann = (Admitted) ask(mechanism(), "ann", "secret");
        final Admitted bob = (Admitted) ask(mechanism(), "bob", "other");

        assertThat(ann.principal().name()).isEqualTo("ann");
        assertThat(ann.principal().roles()).containsExactlyInAnyOrder("trader", "reader");
        assertThat(ann.validForNs()).isEqualTo(TimeUnit.HOURS.toNanos(1));
        assertThat(bob.principal().roles()).containsExactly("reader");
    }

    @Test
    void shouldTakeEveryCharacterOfANameForACharacter() throws Exception {
        final Admitted odd = (Admitted) ask(mechanism(), ODD, "secret");

        assertThat(odd.principal().name()).isEqualTo(ODD);
        assertThat(odd.principal().roles()).containsExactly("odd");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "*",
                "a*",
                "ann,ou=people,dc=example,dc=com",
                "ann,ou=people,dc=example,dc=com\\",
                "ann)(uid=*",
                "*)(objectClass=*",
                "ann+uid=ann",
                "uid=ann",
                "\"ann\"",
                "#616e6e",
                "\\61nn",
                "ANN",
                " ann",
                "ann ",
                "nobody",
                "anonymous"
            })
    void shouldRefuseNamesThatAreNotExactlyThoseOfUsers(final String name) throws Exception {
        assertRefused(ask(mechanism(), name, "secret"), "ldap: ");
    }

    @Test
    void shouldRefuseWrongAndMissingPasswords() throws Exception {
        assertRefused(ask(mechanism(), "ann", "other"), "does not know user and password");
        // By itself the directory takes this for a bind of nobody, and says yes.
        assertRefused(ask(mechanism(), "ann", ""), "no user or no password");
        assertThat(mechanism()
                        .begin(new Logon("", "bob", "", "", true, PeerIdentity.UNKNOWN))
                        .respond("\0ann\0secret".getBytes(UTF_8)))
                .isInstanceOf(Refused.class);
        assertThat(mechanism()
                        .begin(new Logon("", "ann", "", "", true, PeerIdentity.UNKNOWN))
                        .respond(new byte[0]))
                .isInstanceOf(Refused.class);
    }

    @Test
    void shouldSendNothingToADirectoryThatIsNotTrusted() throws Exception {
        final LdapMechanism stranger = new LdapMechanism(
                settings(directory.getListenPort(), Duration.ofSeconds(20), 2),
                trusting(new TestAuthority("stranger")));

        assertRefused(ask(stranger, "ann", "secret"), "cannot be asked");
        assertThatThrownBy(() -> new LdapMechanism.Settings(
                        "http://x", PEOPLE, "uid", GROUPS, Duration.ofSeconds(1), 1, Duration.ofHours(1)))
                .hasMessageContaining("not ldap://HOST:PORT");
    }

    @Test
    void shouldSayThatTheDirectoryIsDown() throws Exception {
        final LdapMechanism mechanism = mechanism();
        directory.shutDown(true);

        assertRefused(ask(mechanism, "ann", "secret"), "cannot be asked");
    }

    @Test
    void shouldGiveUpOnADirectoryThatSaysNothingAndLetFewWaitForIt() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            final LdapMechanism mechanism =
                    new LdapMechanism(settings(silent.getLocalPort(), Duration.ofMillis(500), 1), trusting(AUTHORITY));
            final CompletableFuture<AuthenticationStep> first =
                    CompletableFuture.supplyAsync(() -> ask(mechanism, "ann", "secret"));
            final CompletableFuture<AuthenticationStep> second =
                    CompletableFuture.supplyAsync(() -> ask(mechanism, "bob", "other"));

            assertRefused(first.get(20, TimeUnit.SECONDS), "ldap: ");
            assertRefused(second.get(20, TimeUnit.SECONDS), "ldap: ");
        }
    }

    @Test
    void shouldLetUsersOfTheDirectoryInToABroker() throws Exception {
        final BlockingQueue<Event> refusals = new LinkedBlockingQueue<>();
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen("inproc:ldap-example")
                .security(SecurityConfig.defaults().withMechanisms(List.of(mechanism())))
                .events(event -> {
                    if (event.kind() == EventKind.LOGON_REFUSED) {
                        refusals.add(event);
                    }
                })
                .build())) {
            assertThat(broker.endpoints()).hasSize(1);
            try (PenstockClient client = PenstockClient.connect(config("secret"))) {
                client.publish("t", "{}");
                client.flush();
            }
            assertThatThrownBy(() -> PenstockClient.connect(config("wrong")).close())
                    .isInstanceOf(ConnectionException.class)
                    .hasMessageContaining("refused for user 'ann'");
            assertThat(Objects.requireNonNull(refusals.poll(20, TimeUnit.SECONDS))
                            .toString())
                    .contains("does not know user and password");
        }
    }

    private static ClientConfig config(final String password) {
        return ClientConfig.builder("inproc:ldap-example")
                .credentials("ann", password)
                .build();
    }
}
