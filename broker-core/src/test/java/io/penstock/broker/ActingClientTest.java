package io.penstock.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.AuthenticationStep.Admitted;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Origin;
import io.penstock.broker.security.Principal;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of the broker's own process that act for somebody count as that one, wherever it is. */
@Timeout(60)
class ActingClientTest {
    private static final String REMOTE = "https://192.0.2.7:40112";
    private static final String LOCAL = "https://127.0.0.1:40112";

    @TempDir
    private Path folder;

    private TestBroker start() {
        return new TestBroker(builder -> builder.audit(AuditConfig.in(folder.toString()))
                .security(new SecurityConfig(Authenticator.NONE, Authorizer.ALL, false, AnonymousAdministration.LOCAL))
                .quotas(QuotaConfig.defaults().withPerIdentity(QuotaScene.quotas("connectionCountMax", 2))));
    }

    private static RawClient actFor(final TestBroker test, final String peer, final boolean isLocal) {
        final String name = "admin-0123456789abcdef0123456789abcdef-" + test.clients.size();
        final Admitted proof =
                new Admitted(Principal.ANONYMOUS).actedFor(new Origin(peer, "admin", isLocal), Admitted.FOR_EVER);
        assertThat(test.broker.gate().expected().expect(name, proof)).isTrue();
        final RawClient client = test.connect();
        client.logon(name);
        test.settle();
        return client;
    }

    @Test
    void shouldCountAnonymousOnesOfAnotherMachineAsThoseOfThat() {
        try (TestBroker test = start()) {
            assertThat(actFor(test, LOCAL, true).events).contains("logonAck");
            assertThat(actFor(test, LOCAL, true).events).contains("logonAck");
            assertThat(actFor(test, REMOTE, false).events).contains("logonAck");
            assertThat(actFor(test, REMOTE, false).events).contains("logonAck");

            final RawClient tooMany = actFor(test, REMOTE, false);
            assertThat(tooMany.fatalErrors).containsExactly(ErrorCode.LIMIT_REACHED);
            assertThat(tooMany.errorTexts.get(0)).contains("clients at https://192.0.2.7");
            assertThat(actFor(test, LOCAL, true).errorTexts.get(0)).contains("clients of this machine");
        }
    }

    @Test
    void shouldNotLetAnonymousOnesOfAnotherMachineAdministerTheBroker() throws Exception {
        try (TestBroker test = start()) {
            final RawClient local = actFor(test, LOCAL, true);
            local.declareTopic(2, "t", "json");
            test.settle();
            final RawClient remote = actFor(test, REMOTE, false);
            remote.deleteTopic(3, "t");
            test.settle();
            assertThat(remote.errors).containsExactly(ErrorCode.NOT_AUTHORIZED);
            local.deleteTopic(4, "t");
            test.settle();
            assertThat(local.errors).isEmpty();
        }
        assertThat(audit()).contains("\"peer\":\"" + REMOTE + "\"");
    }

    private String audit() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            final StringBuilder text = new StringBuilder();
            for (final Path file :
                    files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        }
    }
}
