package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.ReloadReport.Change;
import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.AnonymousLogon;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Role;
import io.penstock.broker.security.user.User;
import io.penstock.broker.security.user.UsersFile;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A running broker takes another configuration as far as it can, and says what it has not taken. */
class ReloadTest {
    private final List<Event> events = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    @Test
    void shouldDoNothingWhenNothingDiffers() {
        try (TestBroker test = broker()) {
            assertThat(test.broker.reload(test.broker.config().toBuilder().build()))
                    .isEqualTo(ReloadReport.NOTHING);
            test.cycle();

            assertThat(lines(EventKind.RELOADED)).containsExactly("reloaded applied=0 needRestart=0 refused=0");
        }
    }

    @Test
    void shouldCreateTopicsByTheNewRulesWhenRulesDiffer() {
        try (TestBroker test = broker()) {
            final RawClient client = test.logOn("client");
            client.publish(2, 0, 0, "raw.before", "{}".getBytes(UTF_8));
            test.flush(client);
            final ReloadReport report = reload(test, builder -> builder.topic(TopicConfig.rule("raw\\..*", "binary")));
            client.publish(3, 0, 0, "raw.after", "no JSON".getBytes(UTF_8));
            client.publish(4, 0, 0, "raw.before", "no JSON".getBytes(UTF_8));
            test.flush(client);

            assertThat(report.applied())
                    .contains(new Change(
                            "topics.raw\\..*",
                            "",
                            "pattern=true format=binary shard=-1 expirationMs=0 journaled=true"));
            assertThat(report.restart()).isEmpty();
            assertThat(report.refused()).isEmpty();
            assertThat(client.errors).containsExactly(ErrorCode.BAD_MESSAGE);
            assertThat(test.broker.config().topics()).hasSize(1);
        }
    }

    @Test
    void shouldTakeTheDefaultFormatWhenItDiffers() {
        try (TestBroker test = broker()) {
            final ReloadReport report = reload(test, builder -> builder.formatDefault("binary"));
            final RawClient client = test.logOn("client");
            client.publish(2, 0, 0, "t", "no JSON".getBytes(UTF_8));
            test.flush(client);

            assertThat(report.applied()).containsExactly(new Change("formatDefault", "json", "binary"));
            assertThat(client.errors).isEmpty();
        }
    }

    @Test
    void shouldRefuseRulesWhenTopicsWouldMove() {
        try (TestBroker test = new TestBroker(builder -> builder.events(events::add)
                .shardCount(3)
                .topic(new TopicConfig("fixed\\..*", true, "json", 1))
                .topic(TopicConfig.rule("free\\..*", "json")))) {
            final ReloadReport moved = reload(
                    test,
                    builder -> builder.topics(List.of(
                            new TopicConfig("fixed\\..*", true, "json", 2), TopicConfig.rule("free\\..*", "json"))));
            final ReloadReport shadowed = reload(
                    test,
                    builder -> builder.topics(
                            List.of(TopicConfig.rule(".*", "json"), new TopicConfig("fixed\\..*", true, "json", 1))));
            final ReloadReport behind = reload(
                    test,
                    builder -> builder.topics(List.of(
                            new TopicConfig("fixed\\..*", true, "binary", 1),
                            TopicConfig.rule("other\\..*", "binary"))));
            test.cycle();

            assertThat(moved.applied()).isEmpty();
            assertThat(moved.refused()).singleElement().asString().startsWith("topics: another shard");
            assertThat(shadowed.refused()).hasSize(1);
            assertThat(behind.refused()).isEmpty();
            assertThat(behind.applied()).isNotEmpty();
            assertThat(lines(EventKind.RELOAD_REFUSED)).hasSize(2);
        }
    }

    @Test
    void shouldHoldClientsToTheNewQuotasWhenTheyDiffer() {
        try (TestBroker test = broker()) {
            final RawClient client = test.logOn("client");
            client.declareTopic(2, "one", "json");
            test.settle();
            final QuotaConfig before = test.broker.config().quotas();
            final ReloadReport report = reload(
                    test,
                    builder -> builder.quotas(
                            new QuotaConfig(10, 1, before.topicsPerIdentityMax(), before.publishersPerIdentityMax())
                                    .withPerIdentity(before.perIdentity())));
            client.declareTopic(3, "two", "json");
            client.publish(4, 1, 0, "one", "{}".getBytes(UTF_8));
            client.publish(5, 1000, 0, "one", "{}".getBytes(UTF_8));
            test.settle();

            assertThat(report.applied())
                    .extracting(Change::key)
                    .containsExactly("quotas.publisherSequenceGapMax", "quotas.topicsPerConnectionMax");
            assertThat(client.errors).containsExactly(ErrorCode.LIMIT_REACHED, ErrorCode.BAD_SEQUENCE);
        }
    }

    @Test
    void shouldLetNobodyAdministerWithoutAProofWhenToldSo() {
        try (TestBroker test = broker()) {
            final RawClient client = test.logOn("client");
            client.declareTopic(2, "t", "json");
            test.settle();
            final ReloadReport report = reload(
                    test,
                    builder -> builder.security(new SecurityConfig(
                            Authenticator.NONE, Authorizer.ALL, false, AnonymousAdministration.NONE)));
            client.deleteTopic(3, "t");
            test.settle();

            assertThat(report.applied())
                    .containsExactly(new Change("security.anonymousAdministration", "local", "none"));
            assertThat(client.errors).containsExactly(ErrorCode.NOT_AUTHORIZED);
        }
    }

    @Test
    void shouldKeepWhoMayLogOnWhenSomethingElseDiffers() {
        final SecurityConfig security = SecurityConfig.defaults().withAnonymous(AnonymousLogon.LOCAL);
        try (TestBroker test = new TestBroker(builder -> builder.security(security))) {
            test.broker.reload(test.broker.config());

            assertThat(test.broker.config().security().anonymous()).isEqualTo(AnonymousLogon.LOCAL);
            assertThat(test.broker.reload(test.broker.config()).restart()).isEmpty();
        }
    }

    @Test
    void shouldReleaseFilesByTheNewRetentionWhenItDiffers() {
        try (TestBroker test = new TestBroker(builder -> builder.events(events::add)
                .journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024)))) {
            final RawClient client = test.logOn("client");
            final String text = "{\"x\":\"" + "x".repeat(1_000) + "\"}";
            // Files go behind the older of two snapshots.
            for (int run = 1; run <= 2; run++) {
                final int snapshots = run;
                for (int i = 0; i < 300; i++) {
                    test.publish(client, "t", text);
                }
                test.flush(client);
                test.broker.snapshot();
                test.await(() -> test.broker.counter("snapshots") == snapshots);
            }
            test.advance(1_200);
            assertThat(test.broker.counter("filesReleased")).isZero();
            final ReloadReport report = test.broker.reload(test.broker.config().toBuilder()
                    .journal(test.broker.config().journal().withRetention(128 * 1024, 0))
                    .build());
            test.advance(1_200);

            assertThat(report.applied()).containsExactly(new Change("journal.retentionLength", "0", "131072"));
            assertThat(test.broker.counter("filesReleased")).isPositive();
        }
    }

    @Test
    void shouldNameWhatNeedsARestartEachTimeWhenItCannotBeTaken() {
        try (TestBroker test = broker()) {
            final UnaryOperator<BrokerConfig.Builder> next =
                    builder -> builder.shardCount(2).formatDefault("binary").window(new WindowConfig(128 * 1024, 4));
            final ReloadReport first = reload(test, next);
            final ReloadReport second = reload(test, next);
            test.cycle();

            final Change[] expected = {
                new Change("shardCount", "1", "2"), new Change("window.segmentLength", "65536", "131072")
            };
            assertThat(first.restart()).containsExactly(expected);
            assertThat(first.applied()).hasSize(1);
            assertThat(second.restart()).containsExactly(expected);
            assertThat(second.applied()).isEmpty();
            assertThat(lines(EventKind.RESTART_NEEDED))
                    .containsExactly(
                            "restartNeeded key=shardCount before=1 after=2",
                            "restartNeeded key=window.segmentLength before=65536 after=131072",
                            "restartNeeded key=shardCount before=1 after=2",
                            "restartNeeded key=window.segmentLength before=65536 after=131072");
        }
    }

    @Test
    void shouldApplyNothingWhenNoBrokerCouldStartWithIt() {
        try (TestBroker test = broker()) {
            final ReloadReport report = reload(
                    test,
                    builder -> builder.formatDefault("binary")
                            .topic(TopicConfig.topic("t", "no-such-format"))
                            .listen("tcp://192.0.2.1:9100"));
            final RawClient client = test.logOn("client");
            client.publish(2, 0, 0, "t", "no JSON".getBytes(UTF_8));
            test.flush(client);

            assertThat(report.applied()).isEmpty();
            assertThat(report.refused()).hasSize(2);
            assertThat(report.lines())
                    .anyMatch(line -> line.startsWith("refused: listen: other machines can reach"))
                    .anyMatch(line -> line.contains("no-such-format"));
            assertThat(client.errors).containsExactly(ErrorCode.BAD_MESSAGE);
        }
    }

    @Test
    void shouldAskOthersThatTakePartAndKeepTheRestWhenOneRefuses() {
        try (TestBroker test = broker()) {
            final List<String> asked = new ArrayList<>();
            test.broker.onReload("certificates", next -> {
                asked.add(next.formatDefault());
                return "server.pem is valid until 2027-01-01";
            });
            test.broker.onReload("users", next -> {
                throw new IOException("users.txt: no such file");
            });
            test.broker.onReload("permissions", next -> {
                throw new IllegalStateException();
            });
            final ReloadReport report = reload(test, builder -> builder.formatDefault("binary"));

            assertThat(asked).containsExactly("binary");
            assertThat(report.lines())
                    .containsExactly(
                            "applied: formatDefault: json -> binary",
                            "applied: certificates: (none) -> server.pem is valid until 2027-01-01",
                            "refused: users: users.txt: no such file",
                            "refused: permissions: java.lang.IllegalStateException");
        }
    }

    @Test
    void shouldNameTheUsersThatAreOthersNow() throws IOException {
        final Path path = directory.resolve("users");
        final UsersFile users = UsersFile.empty(path);
        List.of("ann", "bob", "cyd").forEach(name -> users.put(User.named(name)));
        users.write();
        try (TestBroker test = new TestBroker(builder ->
                builder.events(events::add).security(SecurityConfig.defaults().withUsers(path.toString())))) {
            assertThat(reload(test, builder -> builder)).isEqualTo(ReloadReport.NOTHING);
            users.remove("bob");
            users.put(User.named("dee"));
            users.put(disabled("ann"));
            users.write();

            assertThat(reload(test, builder -> builder).applied())
                    .containsExactly(
                            new Change("security.users", "3 users", "3 users (added dee; changed ann; removed bob)"));
            assertThat(reload(test, builder -> builder)).isEqualTo(ReloadReport.NOTHING);
            for (int i = 10; i < 40; i++) {
                users.put(User.named("user-" + i));
            }
            users.write();
            assertThat(reload(test, builder -> builder).applied().get(0).after())
                    .startsWith("33 users (added user-10, user-11, ")
                    .endsWith(", user-29 and 10 more)");
            test.cycle();
            assertThat(lines(EventKind.SETTING_CHANGED).get(0))
                    .contains("key=security.users before=\"3 users\" after=\"3 users (added dee;");

            Files.writeString(path, "penstock-users 1\nuser ann colour=red\n");
            final ReloadReport wrong = reload(test, builder -> builder.formatDefault("binary"));
            assertThat(wrong.lines().get(0)).isEqualTo("applied: formatDefault: json -> binary");
            assertThat(wrong.refused())
                    .singleElement()
                    .satisfies(refusal -> assertThat(refusal.toString())
                            .startsWith("security.users: ")
                            .contains(path + ":2: no such word: 'colour'"));
        }
    }

    private static User disabled(final String name) {
        final User user = User.named(name);
        return new User(name, true, user.roles(), user.attributes(), null, List.of(), Set.of());
    }

    @Test
    void shouldKeepAPartThatCouldNotBeReadAndTakeTheOthers() {
        final Role reader = new Role("everyone", List.of(GuardedBroker.allow("read list", "*", "")));
        try (TestBroker test = new TestBroker(builder ->
                builder.events(events::add).permissions(new PermissionsConfig("roles.yaml", List.of(reader))))) {
            final BrokerConfig next = test.broker.config().toBuilder()
                    .formatDefault("binary")
                    .permissions(new PermissionsConfig("other.yaml", List.of()))
                    .build();
            final ReloadReport report =
                    test.broker.reload(next, List.of(new ReloadReport.Refusal("permissions", "other.yaml: no file")));

            assertThat(report.lines())
                    .containsExactly(
                            "applied: formatDefault: json -> binary", "refused: permissions: other.yaml: no file");
            test.cycle();
            assertThat(lines(EventKind.RELOAD_REFUSED))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("what=permissions reason=\"other.yaml: no file\""));
            assertThat(lines(EventKind.RELOADED))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("applied=1 needRestart=0 refused=1"));
            assertThat(test.broker.config().permissions().file()).isEqualTo("roles.yaml");
            final RawClient client = test.connect();
            client.logon("c", "", 0);
            test.await(() -> client.events.contains("logonAck"));
            client.publish(1, "t", "{}");
            test.settle();
            assertThat(client.errors).containsExactly(ErrorCode.NOT_AUTHORIZED);

            // No broker could start with it: what could not be read is still named, and nothing is taken.
            final ReloadReport whole = test.broker.reload(
                    next.toBuilder().formatDefault("no-such-format").build(),
                    List.of(new ReloadReport.Refusal("permissions", "other.yaml: no file")));
            assertThat(whole.applied()).isEmpty();
            assertThat(whole.refused()).hasSize(2);
            assertThat(test.broker.config().formatDefault()).isEqualTo("binary");
        }
    }

    /** Rules have no names: their places tell them apart, as in an explanation. */
    @Test
    void shouldNameTheRuleThatHasChanged() {
        final PermissionsConfig before = permissions(List.of("read"), List.of("list"));
        try (TestBroker test =
                new TestBroker(builder -> builder.events(events::add).permissions(before))) {
            final ReloadReport report =
                    reload(test, builder -> builder.permissions(permissions(List.of("read"), List.of("all"))));

            assertThat(report.lines())
                    .hasSize(1)
                    .allMatch(line -> line.startsWith("applied: permissions.roles.r: rules=1, 2 rules.1="))
                    .allMatch(line -> line.contains("rules.2=allow=list ") && line.contains("rules.2=allow=all "));
        }
    }

    private static PermissionsConfig permissions(final List<String> first, final List<String> second) {
        return new PermissionsConfig(
                "",
                List.of(new Role(
                        "r",
                        List.of(
                                PermissionRule.allow(first, List.of("*"), ""),
                                PermissionRule.allow(second, List.of("*"), "")))));
    }

    private TestBroker broker() {
        return new TestBroker(builder -> builder.events(events::add));
    }

    private static ReloadReport reload(final TestBroker test, final UnaryOperator<BrokerConfig.Builder> changed) {
        return test.broker.reload(
                changed.apply(test.broker.config().toBuilder()).build());
    }

    private List<String> lines(final EventKind kind) {
        return events.stream()
                .filter(event -> event.kind() == kind)
                .map(Event::toString)
                .toList();
    }
}
