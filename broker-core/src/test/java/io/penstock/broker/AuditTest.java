package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Principal;
import io.penstock.broker.security.audit.AuditClient;
import io.penstock.broker.security.audit.AuditKind;
import io.penstock.broker.security.audit.AuditVerifier;
import io.penstock.broker.security.audit.AuditVerifier.Verdict;
import io.penstock.broker.storage.DiskStorage;
import io.penstock.broker.storage.StorageProvider;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a broker keeps of who has done what, and what it does when it cannot. */
class AuditTest {
    private static final SecurityConfig BY_USER = new SecurityConfig(
            logon -> logon.user().equals("intruder") ? null : new Principal(logon.user()),
            (principal, action, topic) -> !principal.name().equals("guest")
                    || action == Action.CONNECT
                    || (!topic.startsWith("secret") && action != Action.DELETE_TOPIC),
            false,
            AnonymousAdministration.NONE);

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final HeldStorage.Gate disk = new HeldStorage.Gate();

    @TempDir
    private Path folder;

    @Test
    void shouldKeepWhoDidWhatWhenClientsAndAdministratorsAct() throws IOException {
        try (TestBroker test = broker(audit())) {
            final RawClient intruder = test.connect();
            intruder.logon("x", "intruder", 0);
            final RawClient admin = logOn(test, "desk", "admin");
            admin.declareTopic(2, "secret", "json", "id");
            admin.declareTopic(3, "open", "json");
            test.settle();
            final RawClient guest = logOn(test, "pc-7", "guest");
            guest.publish(2, "secret", "{}");
            guest.subscribe(3, 7, "secret", "");
            guest.deleteTopic(4, "open");
            test.settle();
            admin.publish(4, "secret", "{\"id\":1}");
            admin.publish(5, "secret", "{\"id\":2}");
            admin.publish(6, "secret", "{\"id\":3}");
            test.settle();
            admin.sowDelete(7, "secret", "id > 2", "");
            test.awaitAck(admin, 7);
            admin.deleteTopic(8, "open");
            test.awaitAck(admin, 8);
            test.broker.reload(
                    test.broker.config().toBuilder().formatDefault("binary").build());
            test.settle();
        }

        final List<String> entries = entries();
        assertThat(entries)
                .extracting(AuditTest::gist)
                .containsExactly(
                        "started ok 0 - -",
                        "logonRefused refused 0 intruder x",
                        "loggedOn ok 0 admin desk",
                        "loggedOn ok 0 guest pc-7",
                        "refused refused 0 guest pc-7",
                        "refused refused 0 guest pc-7",
                        "refused refused 0 guest pc-7",
                        "deleted ok 1 admin desk",
                        "administration ok 0 admin desk",
                        "reloaded ok 1 - -",
                        "stopped ok 0 - -");
        assertThat(entries.get(1))
                .contains("\"peer\":\"inproc:")
                .contains("\"reason\":\"logon: refused for user 'intruder'");
        assertThat(entries.get(4)).contains("\"reason\":\"publish to secret: not allowed for guest");
        assertThat(entries.get(6)).contains("\"reason\":\"delete topic open: not allowed for guest");
        assertThat(entries.get(7)).contains("\"what\":\"records of secret by filter id > 2\"");
        assertThat(entries.get(8)).contains("\"what\":\"delete topic open\"");
        assertThat(entries.get(9)).contains("\"what\":\"formatDefault: json -> binary\"");
        assertThat(verify().problem()).isNull();
        assertThat(lines(EventKind.AUDIT_HEAD)).last().asString().endsWith(" entry=11 hash=" + verify().hash());
    }

    @Test
    void shouldKeepDeletesByKeyTogetherWhenThereAreMany() throws IOException {
        try (TestBroker test = broker(audit())) {
            final RawClient admin = logOn(test, "desk", "admin");
            admin.declareTopic(2, "orders", "json", "id");
            test.settle();
            for (int i = 0; i < 100; i++) {
                admin.publish(1_000 + i, "orders", "{\"id\":" + i + "}");
                admin.sowDelete(100 + i, "orders", "", "{\"id\":" + i + "}");
                test.awaitAck(admin, 100 + i);
            }
            test.settle();
            admin.disconnect();
            test.settle();
        }
        final List<String> deletes = entries().stream()
                .filter(entry -> entry.contains("\"what\":\"records of orders by key\""))
                .toList();

        assertThat(deletes).hasSizeLessThan(5);
        assertThat(deletes).last().asString().contains("\"count\":99,");
        assertThat(deletes.stream().mapToLong(AuditTest::count).sum()).isEqualTo(100);
    }

    @Test
    void shouldCountEntriesOfAClientThatMakesTooMany() throws IOException {
        final AuditConfig config =
                new AuditConfig(audit().directory(), 16 * 1024, 10, 20, AuditConfig.OnFailure.REPORT);
        try (TestBroker test = broker(config)) {
            final RawClient guest = logOn(test, "pc-7", "guest");
            for (int i = 0; i < 500; i++) {
                guest.subscribe(10 + i, 10 + i, "secret", "");
                test.cycle();
            }
            final RawClient other = logOn(test, "pc-8", "other");
            other.deleteTopic(2, "t");
            test.settle();
            final List<String> within = entries();

            assertThat(within)
                    .filteredOn(entry -> entry.contains("\"user\":\"guest\""))
                    .hasSize(20);
            assertThat(within).last().asString().contains("\"user\":\"other\"");
            test.advance(61_000);
            test.settle();
            assertThat(entries())
                    .last()
                    .asString()
                    .contains("\"kind\":\"omitted\"")
                    .contains("\"count\":481,")
                    .contains("\"what\":\"entries of user guest\"");
            assertThat(test.broker.counter("auditEntriesOmitted")).isEqualTo(481);
        }
        assertThat(verify().problem()).isNull();
    }

    @Test
    void shouldGoOnInTheSameChainWhenStartedAgain() throws IOException {
        for (int i = 0; i < 3; i++) {
            try (TestBroker test = broker(audit())) {
                logOn(test, "c" + i, "admin");
            }
        }
        final Verdict verdict = verify();

        assertThat(verdict.problem()).isNull();
        assertThat(verdict.remarks()).isEmpty();
        assertThat(verdict.entryCount()).isEqualTo(9);
        assertThat(verdict.fileCount()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheNewestFilesInOneChainWhenThereAreMany() throws IOException {
        final AuditConfig config = new AuditConfig(audit().directory(), 4096, 3, 100_000, AuditConfig.OnFailure.REPORT);
        try (TestBroker test = broker(config)) {
            final RawClient guest = logOn(test, "pc-7", "guest");
            for (int i = 0; i < 200; i++) {
                guest.subscribe(10 + i, 10 + i, "secret", "");
                test.cycle();
            }
        }
        final Verdict verdict = verify();

        assertThat(verdict.problem()).isNull();
        assertThat(verdict.fileCount()).isEqualTo(3);
        assertThat(verdict.sequence()).isEqualTo(203);
        assertThat(verdict.entryCount()).isLessThan(203).isGreaterThan(10);
        assertThat(verdict.remarks()).singleElement().asString().contains("those before it are not here");
        for (final Path file : files()) {
            assertThat(Files.size(file)).isLessThanOrEqualTo(4096);
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldMakeFilesForItsOwnUserAlone() throws IOException {
        broker(audit()).close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("audit"))))
                .isEqualTo("rwx------");
        assertThat(files()).isNotEmpty();
        for (final Path file : files()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void shouldServeOnAndCatchUpWhenTheDiskIsFullForAWhile() throws IOException {
        try (TestBroker test = broker(audit())) {
            logOn(test, "before", "admin");
            disk.fill();
            final RawClient client = logOn(test, "during", "admin");
            client.declareTopic(2, "t", "json");
            client.deleteTopic(3, "t");
            test.settle();

            assertThat(lines(EventKind.AUDIT_FAILED))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("No space left on device");
            assertThat(client.errors).isEmpty();
            disk.mend();
            test.advance(2_000);
            assertThat(lines(EventKind.AUDIT_RESUMED)).hasSize(1);
        }
        final Verdict verdict = verify();

        assertThat(verdict.problem()).isNull();
        assertThat(verdict.remarks()).isEmpty();
        assertThat(verdict.fileCount()).isEqualTo(1);
        assertThat(entries())
                .extracting(AuditTest::gist)
                .containsExactly(
                        "started ok 0 - -",
                        "loggedOn ok 0 admin before",
                        "resumed ok 0 - -",
                        "loggedOn ok 0 admin during",
                        "administration ok 0 admin during",
                        "stopped ok 0 - -");
    }

    @Test
    void shouldGoOnInAnotherFileWhenTheFailedOneCannotBeCut() throws IOException {
        try (TestBroker test = broker(audit())) {
            logOn(test, "before", "admin");
            test.settle();
            disk.failCuts();
            disk.failWrites();
            logOn(test, "during", "admin");
            test.settle();
            disk.mend();
            test.advance(2_000);
            assertThat(lines(EventKind.AUDIT_RESUMED)).hasSize(1);
        }
        final Verdict verdict = verify();

        assertThat(verdict.problem()).isNull();
        assertThat(verdict.fileCount()).isEqualTo(2);
        assertThat(verdict.remarks()).singleElement().asString().contains("entry 3 tells of it");
        assertThat(entries())
                .extracting(entry -> value(entry, "kind"))
                .containsExactly("started", "loggedOn", "torn", "resumed", "loggedOn", "stopped");
    }

    @Test
    void shouldMakeNoFileAfterAnotherWhenTheDiskStaysFull() throws IOException {
        try (TestBroker test = broker(audit())) {
            logOn(test, "before", "admin");
            test.settle();
            disk.failCuts();
            disk.fill();
            logOn(test, "during", "admin");
            test.advance(600_000);

            assertThat(files()).hasSizeLessThan(40);
            assertThat(lines(EventKind.AUDIT_FAILED)).hasSize(1);
            disk.mend();
        }
        assertThat(verify().problem()).isNull();
        assertThat(entries()).extracting(AuditTest::gist).contains("loggedOn ok 0 admin during");
    }

    @Test
    void shouldRefuseLogonsAndAdministratorsWhenItIsToldSoAndCannotWrite() throws IOException {
        try (TestBroker test = broker(audit().onFailure(AuditConfig.OnFailure.REFUSE))) {
            final RawClient admin = logOn(test, "desk", "admin");
            admin.declareTopic(2, "t", "json");
            test.settle();
            disk.fill();
            admin.deleteTopic(3, "t");
            test.awaitAck(admin, 3);
            test.settle();
            admin.deleteTopic(4, "t");
            admin.publish(5, "open", "{}");
            final RawClient late = test.connect();
            late.logon("late", "admin", 0);
            test.settle();

            assertThat(admin.errors).containsExactly(ErrorCode.NOT_AUTHORIZED);
            assertThat(admin.errorTexts.get(0)).contains("audit cannot be written (mend the disk of audit.directory");
            assertThat(admin.acks).containsKey(5L);
            assertThat(late.fatalErrors).containsExactly(ErrorCode.AUTHENTICATION_FAILED);
            assertThat(late.errorTexts.get(0)).contains("audit cannot be written");
            disk.mend();
            test.advance(2_000);
            logOn(test, "again", "admin");
        }
        assertThat(verify().problem()).isNull();
        assertThat(entries())
                .extracting(AuditTest::gist)
                .contains("refused refused 0 admin desk", "loggedOn ok 0 admin again");
    }

    @Test
    void shouldTellOfWhatWasLostWhenTheQueueIsFull() throws IOException {
        final AuditConfig config =
                new AuditConfig(audit().directory(), 1 << 20, 10, 1_000_000, AuditConfig.OnFailure.REPORT);
        try (TestBroker test = broker(config)) {
            final RawClient guest = logOn(test, "pc-7", "guest");
            test.settle();
            disk.fill();
            for (int i = 0; i < 5_000; i++) {
                guest.subscribe(10 + i, 10 + i, "secret", "");
                test.cycle();
            }
            disk.mend();
            test.advance(40_000);

            assertThat(test.broker.counter("auditEntriesLost")).isPositive();
            assertThat(lines(EventKind.AUDIT_LOST)).isNotEmpty();
        }
        final List<String> entries = entries();
        final long lost = entries.stream()
                .filter(entry -> entry.contains("\"kind\":\"lost\""))
                .mapToLong(AuditTest::count)
                .sum();

        assertThat(verify().problem()).isNull();
        assertThat(lost
                        + entries.stream()
                                .filter(entry -> entry.contains("\"kind\":\"refused\""))
                                .count())
                .isEqualTo(5_000);
    }

    @Test
    void shouldTellOfTheTornTailWhenStartedAfterACrash() throws IOException {
        broker(audit()).close();
        final Path file = files().get(0);
        final byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 100));
        final Verdict torn = verify();
        assertThat(torn.problem()).isNull();
        assertThat(torn.remarks())
                .singleElement()
                .asString()
                .contains("as of a crash or of an entry that is being written");
        broker(audit()).close();
        final Verdict verdict = verify();

        assertThat(verdict.problem()).isNull();
        assertThat(verdict.remarks()).singleElement().asString().contains("entry 2 tells of it");
        assertThat(lines(EventKind.AUDIT_TORN)).hasSize(1);
        assertThat(entries())
                .extracting(AuditTest::gist)
                .containsExactly(
                        "started ok 0 - -", "torn ok " + torn(whole) + " - -", "started ok 0 - -", "stopped ok 0 - -");
        assertThat(Files.readAllBytes(file)).hasSize(whole.length - 100);
    }

    private static long torn(final byte[] whole) {
        final String text = new String(whole, UTF_8);
        return text.length() - 100L - text.indexOf('\n') - 1;
    }

    @Test
    void shouldNotStartWhenItsFolderCannotBeUsed() throws IOException {
        Files.writeString(folder.resolve("audit"), "a file");

        assertThatThrownBy(() -> broker(audit()))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("audit: ");
    }

    @Test
    void shouldKeepAllInOneChainWhenManyThreadsRecordAndOneWrites() throws Exception {
        final int perThread = Integer.getInteger("penstock.audit.entries", 300);
        final AuditConfig config =
                new AuditConfig(audit().directory(), 64 * 1024, 1_000, 1, AuditConfig.OnFailure.REPORT);
        try (Broker broker = Broker.launch(BrokerConfig.builder()
                .listen("inproc:audit-threads")
                .threading(ThreadingMode.SHARED)
                .events(events::add)
                .audit(config)
                .build())) {
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                final String who = "t" + i;
                threads.add(new Thread(() -> {
                    for (int n = 0; n < perThread; n++) {
                        broker.audit()
                                .record(
                                        AuditKind.ADMINISTRATION,
                                        new AuditClient(who, who, "", ""),
                                        false,
                                        n,
                                        "x".repeat(200),
                                        "");
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (final Thread thread : threads) {
                thread.join();
            }
        }
        final List<String> entries = entries();

        assertThat(verify().problem()).isNull();
        assertThat(verify().fileCount()).isGreaterThan(3);
        for (int i = 0; i < 4; i++) {
            final String who = "\"user\":\"t" + i + "\"";
            assertThat(entries.stream().filter(entry -> entry.contains(who)).map(AuditTest::count))
                    .containsExactlyElementsOf(
                            LongStream.range(0, perThread).boxed().toList());
        }
    }

    private AuditConfig audit() {
        return AuditConfig.in(folder.resolve("audit").toString());
    }

    private TestBroker broker(final AuditConfig config) {
        final StorageProvider held = path -> new HeldStorage(DiskStorage.open(path), disk);
        return new TestBroker(builder ->
                builder.events(events::add).security(BY_USER).storage(held).audit(config));
    }

    private static RawClient logOn(final TestBroker test, final String name, final String user) {
        final RawClient client = test.connect();
        client.logon(name, user, 0);
        test.await(() -> client.events.contains("logonAck"));
        return client;
    }

    private Verdict verify() throws IOException {
        return AuditVerifier.verify(
                DiskStorage.openPresent(folder.resolve("audit").toString()), entry -> {});
    }

    private List<String> entries() throws IOException {
        final List<String> entries = new ArrayList<>();
        AuditVerifier.verify(DiskStorage.openPresent(folder.resolve("audit").toString()), entries::add);
        return entries;
    }

    /** Kind, outcome, count, user and name of client. */
    private static String gist(final String entry) {
        return value(entry, "kind") + " " + value(entry, "outcome") + " "
                + count(entry) + " " + value(entry, "user") + " "
                + value(entry, "client");
    }

    private static long count(final String entry) {
        return Long.parseLong(entry.replaceAll(".*?\"count\":(\\d+).*", "$1"));
    }

    private static String value(final String entry, final String name) {
        final int start = entry.indexOf("\"" + name + "\":\"");
        final int from = start + name.length() + 4;
        return start < 0 ? "-" : entry.substring(from, entry.indexOf('"', from));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("audit"))) {
            return all.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
    }

    private List<String> lines(final EventKind kind) {
        return events.stream()
                .filter(event -> event.kind() == kind)
                .map(Event::toString)
                .toList();
    }
}
