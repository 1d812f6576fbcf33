package io.penstock.standalone.permissions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.config.ConfigException;
import io.penstock.broker.security.Role;
import io.penstock.standalone.Main;
import io.penstock.standalone.config.ConfigSource;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Files of permissions, as a broker reads them and as commands explain them. */
class PermissionsCommandTest {
    private static final String ROLES = """
        roles:
          - name: trader
            rules:
              - allow: [read, publish]
                topics: ["orders.*", quotes]
                filter: desk = USER('desk')
              - deny: read
                topics: [quotes]
        """;

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();

    @Test
    void shouldListWhatAGoodFileHas() throws IOException {
        assertThat(run("check", file(ROLES))).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "trader: 2 rules",
                        "  allow read, publish on orders.*, quotes where desk = USER('desk')",
                        "  deny read on quotes");
    }

    @Test
    void shouldSayWhichRuleDecided() throws IOException {
        final String file = file(ROLES);

        assertThat(explain(file, "subscribe", "orders.1", "--attribute", "desk=E"))
                .isZero();
        assertThat(explain(file, "subscribe", "orders.1")).isOne();
        assertThat(explain(file, "query", "quotes", "--attribute", "desk=E")).isOne();
        assertThat(explain(file, "delete", "quotes", "--attribute", "desk=E")).isOne();
        assertThat(out.toString().lines())
                .containsExactly(
                        "bob may subscribe orders.1 where desk = 'E', by:",
                        "  role trader, rule 1: allow read, publish on orders.*, quotes where desk = USER('desk')",
                        "bob may not subscribe orders.1, by:",
                        "  role trader, rule 1: allow read, publish on orders.*, quotes where desk = USER('desk')"
                                + " (the user lacks the attribute desk)",
                        "bob may not query quotes, by:",
                        "  role trader, rule 2: deny read on quotes",
                        "bob may not delete quotes: no rule allows it");
    }

    @Test
    void shouldShowWhatIsHiddenAndQuotas() throws IOException {
        final String file = file("""
            roles:
              - name: trader
                quotas:
                  connectionCountMax: 3
                  messagesPerSecondMax: 0
                rules:
                  - allow: [read, publish]
                    topics: ["orders.*"]
                    hide: [salary, /person/ssn]
                  - allow: read
                    topics: ["orders.open"]
            """);

        assertThat(run("check", file)).isZero();
        assertThat(explain(file, "query", "orders.1")).isZero();
        assertThat(explain(file, "query", "orders.open")).isZero();
        assertThat(explain(file, "publish", "orders.1")).isZero();
        assertThat(out.toString().lines())
                .containsExactly(
                        "trader: 2 rules",
                        "  allow read, publish on orders.* without salary, /person/ssn",
                        "  allow read on orders.open",
                        "  connectionCountMax 3",
                        "  messagesPerSecondMax 0",
                        "bob may query orders.1 without /person/ssn, /salary, by:",
                        "  role trader, rule 1: allow read, publish on orders.* without salary, /person/ssn",
                        "bob may query orders.open, by:",
                        "  role trader, rule 1: allow read, publish on orders.* without salary, /person/ssn",
                        "  role trader, rule 2: allow read on orders.open",
                        "bob may publish orders.1, by:",
                        "  role trader, rule 1: allow read, publish on orders.* without salary, /person/ssn");
    }

    @Test
    void shouldReadTheFileThatTheConfigurationNames() throws IOException {
        final BrokerConfig config = new ConfigSource()
                .value("permissions.file", file(ROLES), "test")
                .config();

        assertThat(config.permissions().roles()).extracting(Role::name).containsExactly("trader");
        assertThat(config.permissions().roles().get(0).rules().get(1).deny()).containsExactly("read");
    }

    @Test
    void shouldTakeRolesOfTheConfigurationItself() throws IOException {
        final Path file = directory.resolve("penstock.yaml");
        Files.writeString(file, "permissions:\n" + ROLES.indent(2));

        assertThat(new ConfigSource().file(file).config().permissions().roles()).hasSize(1);
    }

    @Test
    void shouldNameTheMistakeInAFile() throws IOException {
        for (final List<String> mistake : List.of(
                List.of("allow: [read, publish]", "allow: [fly]", "role trader, rule 1: no such action: fly"),
                List.of("filter: desk", "filter: =", "role trader, rule 1: filter: expected"),
                List.of("deny: read", "denied: read", "denied: no such key"),
                List.of("filter: desk", "hide: [a b]\n        filter: desk", "role trader, rule 1: hide: expected"),
                List.of("topics: [quotes]", "hide: salary", "role trader, rule 2: hide: in a rule that does not allow"),
                List.of("    rules:", "    quotas:\n      queryCountMax: -2\n    rules:", "role trader, quotas.queryCountMax: -2"),
                List.of("name: trader", "name: ''", "roles: one without a name"),
                List.of("roles:", "rolls:", "rolls: no such key"),
                List.of(ROLES, "", "roles: missing"))) {
            final Path file = Path.of(file(ROLES.replace(mistake.get(0), mistake.get(1))));

            assertThatThrownBy(() -> ConfigSource.permissions(file))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining(mistake.get(2))
                    .hasMessageContaining("roles.yaml");
        }
    }

    @Test
    void shouldNameTheLineOfTheRuleThatIsWrong() throws IOException {
        for (final List<String> mistake : List.of(
                List.of("[read, publish]", "[reed]", ":4: permissions.roles: role trader, rule 1: no such action: reed"),
                List.of("deny: read", "deny: reed", ":7: permissions.roles: role trader, rule 2: no such action: reed"),
                List.of("[quotes]", "['*.secret']", ":7: permissions.roles: role trader, rule 2: topics: a * before"),
                List.of("deny: read", "denied: read", ":7: roles.rules.denied: no such key"))) {
            final String text = ROLES.replace(mistake.get(0), mistake.get(1));
            final Path file = Path.of(file(text));
            final Path config = Files.writeString(
                    directory.resolve("penstock.yaml"), "permissions:\n" + text.indent(2));

            assertThatThrownBy(() -> ConfigSource.permissions(file))
                    .hasMessageStartingWith(file + mistake.get(2));
            assertThatThrownBy(() -> new ConfigSource().file(config).config())
                    .hasMessageStartingWith(config + ":")
                    .hasMessageContaining(
                            ":" + (Integer.parseInt(mistake.get(2).substring(1, 2)) + 1) + ": permissions.roles");
        }
    }

    @Test
    void shouldNameTheLineOfARoleThatIsThereTwice() throws IOException {
        final Path file = Path.of(file("roles:\n  - name: a\n    rules: []\n  - name: a\n"));

        assertThatThrownBy(() -> ConfigSource.permissions(file))
                .hasMessage(file + ":4: permissions.roles: role a: there are two, the other at " + file
                        + ":2 (give one all the rules)");
    }

    private int explain(final String file, final String action, final String topic, final String... more) {
        return run(Stream.concat(
                        Stream.of(
                                "explain",
                                file,
                                "--user",
                                "bob",
                                "--roles",
                                "trader",
                                "--action",
                                action,
                                "--topic",
                                topic),
                        Stream.of(more))
                .toArray(String[]::new));
    }

    private int run(final String... args) {
        final CommandLine line = new CommandLine(new PermissionsCommand()).setOut(new PrintWriter(out));
        final int code = line.execute(args);
        assertThat(code).isNotEqualTo(Main.EXIT_USAGE);
        return code;
    }

    private String file(final String text) throws IOException {
        return Files.writeString(directory.resolve("roles.yaml"), text).toString();
    }
}
