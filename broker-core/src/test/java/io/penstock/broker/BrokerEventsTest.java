package io.penstock.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.event.Event;
import io.penstock.broker.event.EventKind;
import io.penstock.broker.security.Action;
import io.penstock.broker.security.AnonymousAdministration;
import io.penstock.broker.security.Authenticator;
import io.penstock.broker.storage.StorageProvider;
import io.penstock.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Events of a broker for its operator. */
@Timeout(60)
class BrokerEventsTest {
    private static final String PAD = "x".repeat(1000);

    @TempDir
    private Path directory;

    private final List<Event> events = new ArrayList<>();

    @Test
    void shouldSaySettingsAndEndpointsWhenItHasStarted() {
        try (TestBroker test = new TestBroker(builder -> events(builder).topic(TopicConfig.topic("t", "json")))) {
            test.cycle();

            assertThat(lines(EventKind.SETTINGS))
                    .anyMatch(line -> line.startsWith("settings section=broker ")
                            && line.contains(" threading=invoker ")
                            && line.contains(" topics=1 "))
                    .anyMatch(line -> line.startsWith("settings section=window ") && line.contains("segmentCount=4"))
                    .anyMatch(line -> line.equals(
                            "settings section=security allowInsecureListen=false anonymousAdministration=local"
                                    + " users=\"\" anonymous=default plain=secure"));
            assertThat(lines(EventKind.LISTENING))
                    .containsExactly(
                            "listening endpoint=" + test.broker.endpoints().get(0));
            assertThat(lines(EventKind.INSECURE_LISTEN)).isEmpty();
        }
    }

    @Test
    void shouldWarnWhenOthersReachIt() {
        try (TestBroker test = new TestBroker(builder -> events(builder)
                .listen("tcp://0.0.0.0:0")
                .security(new SecurityConfig(
                        Authenticator.NONE, SecurityConfig.defaults().authorizer(), true)))) {
            test.cycle();

            assertThat(lines(EventKind.INSECURE_LISTEN))
                    .singleElement()
                    .asString()
                    .startsWith("insecureListen endpoint=tcp://0.0.0.0:")
                    .endsWith(" authenticated=false encrypted=false");
        }
    }

    @Test
    void shouldNameThePeerWhenThereAreTooMany() {
        try (TestBroker test = new TestBroker(builder ->
                events(builder).sessions(new SessionConfig(1, 64, 16 * 1024, 64, 64, 1024, 64, 1 << 24, 1_000, 500)))) {
            test.logOn("first");
            test.connect();
            test.settle();

            assertThat(lines(EventKind.CONNECTION_REFUSED))
                    .singleElement()
                    .asString()
                    .matches("connectionRefused peer=\\S+ reason=\"too many connections: 1\"");
        }
    }

    @Test
    void shouldNamePeerAndReasonWhenItEndsASession() {
        try (TestBroker test = new TestBroker(this::events)) {
            final RawClient client = test.logOn("feed");
            client.send(new byte[3]);
            test.settle();

            assertThat(lines(EventKind.SESSION_CLOSED))
                    .singleElement()
                    .asString()
                    .startsWith("closed peer=")
                    .contains(" user=anonymous client=feed reason=\"BAD_FRAME: ");
        }
    }

    @Test
    void shouldNameTheUserAndNoPasswordWhenALogonIsRefused() {
        try (TestBroker test = new TestBroker(builder -> events(builder)
                .security(new SecurityConfig(
                        logon -> null, SecurityConfig.defaults().authorizer(), false)))) {
            final RawClient intruder = test.connect();
            intruder.logon("x", "intruder", 0);
            test.settle();

            assertThat(lines(EventKind.LOGON_REFUSED))
                    .singleElement()
                    .asString()
                    .contains("peer=", "'intruder'")
                    .doesNotContain("password '");
            assertThat(events).noneMatch(event -> event.toString().contains("secret"));
        }
    }

    @Test
    void shouldNameClientAndSubscriptionWhenItDoesNotKeepUp() {
        try (TestBroker test = new TestBroker(this::events)) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "n = 1");
            test.awaitAck(slow, 2);
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            // Apart from each other, so that each takes room in the ring.
            flood(test, publisher, 200, "{}", "{\"n\":1}");
            slow.reading = true;
            test.settle();

            assertThat(lines(EventKind.SUBSCRIPTION_SLOW))
                    .first()
                    .asString()
                    .contains(" client=slow reason=\"subscription 7 to t: its ring is full\"");
            slow.reading = false;
            flood(test, publisher, 2_000, "{\"n\":1,\"pad\":\"" + PAD + "\"}");
            slow.reading = true;
            test.settle();

            assertThat(lines(EventKind.SUBSCRIPTION_BEHIND))
                    .singleElement()
                    .asString()
                    .contains(" client=slow reason=\"subscription 7 to t: was ended\"");
        }
    }

    @Test
    void shouldSayWhatItWaitedForWhenItStops() {
        final AtomicLong published = new AtomicLong();
        try (TestBroker test = new TestBroker(this::events)) {
            final RawClient slow = test.logOn("slow");
            slow.subscribe(2, 7, "t", "");
            test.awaitAck(slow, 2);
            final RawClient publisher = test.logOn("publisher");
            slow.reading = false;
            long count = 0;
            while (test.broker.counter("deliveriesRefused") == 0) {
                flood(test, publisher, 1, "{\"n\":1,\"pad\":\"" + PAD + "\"}");
                count++;
            }
            published.set(count);
            events.clear();
            assertThat(test.broker.drain(Duration.ofNanos(-1))).isFalse();
            test.broker.close();
        }

        assertThat(events)
                .extracting(event -> event.kind())
                .containsExactly(EventKind.DRAINING, EventKind.DRAIN_TIMED_OUT, EventKind.CUT_OFF, EventKind.STOPPED);
        assertThat(lines(EventKind.CUT_OFF).get(0)).contains(" client=slow reason=");
        assertThat(lines(EventKind.STOPPED).get(0)).startsWith("stopped messages=" + published + " delivered=");
    }

    @Test
    void shouldSayWhenTheDiskIsFullAndWhenItIsNotAnyMore() {
        final HeldStorage.Gate gate = new HeldStorage.Gate();
        try (TestBroker test = new TestBroker(builder ->
                journaled(builder).storage(path -> new HeldStorage(StorageProvider.DISK.open(path), gate)))) {
            final RawClient client = test.logOn("client");
            gate.refuse(name -> true);
            for (int i = 0; lines(EventKind.JOURNAL_FULL).isEmpty(); i++) {
                client.publish(
                        0, 0, 0, "t", ("{\"pad\":\"" + PAD + "\"}").getBytes(java.nio.charset.StandardCharsets.UTF_8));
                test.advance(5);
                assertThat(i).isLessThan(10_000);
            }
            gate.mend();
            test.advance(2_000);

            assertThat(lines(EventKind.JOURNAL_FULL))
                    .singleElement()
                    .asString()
                    .contains("shard=0", "No space left on device");
            assertThat(lines(EventKind.JOURNAL_HAS_ROOM)).containsExactly("hasRoom shard=0");
            assertThat(test.takeErrors()).allMatch(error -> error.contains("No space left on device"));
            assertThat(lines(EventKind.ERROR)).allMatch(line -> line.contains("No space left on device"));
        }
    }

    @Test
    void shouldSayWhatItHasReadAndStoredWhenItHasFiles() throws IOException {
        try (TestBroker test = new TestBroker(this::journaled)) {
            final RawClient client = test.logOn("client");
            test.publish(client, "t", "{}");
            test.flush(client);
            test.broker.snapshot();
            test.advance(1_000);

            assertThat(lines(EventKind.SNAPSHOT_STORED))
                    .singleElement()
                    .asString()
                    .matches("snapshot shard=0 sequence=\\d+ bytes=\\d+");
        }
        events.clear();
        try (TestBroker test = new TestBroker(this::journaled)) {
            test.cycle();

            assertThat(lines(EventKind.JOURNAL_RECOVERED))
                    .singleElement()
                    .asString()
                    .startsWith("recovered shard=0 sequence=");
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldWarnAndChangeNothingWhenOthersMayEnterItsFolder() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (TestBroker test = new TestBroker(this::journaled)) {
            test.cycle();

            assertThat(lines(EventKind.WIDE_RIGHTS))
                    .singleElement()
                    .asString()
                    .contains("of=journal rights=rwxr-xr-x remedy=\"chmod 700 ");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxr-xr-x");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldWarnWhenOthersMayEnterTheArchive() throws IOException {
        final Path archive = Files.createDirectory(directory.resolve("archive"));
        Files.setPosixFilePermissions(archive, PosixFilePermissions.fromString("rwxr-x---"));
        try (TestBroker test = new TestBroker(builder -> events(builder)
                .journal(JournalConfig.in(directory.resolve("made").toString()).withArchive(archive.toString())))) {
            test.cycle();

            assertThat(lines(EventKind.WIDE_RIGHTS))
                    .singleElement()
                    .asString()
                    .contains("of=archive rights=rwxr-x--- remedy=\"chmod 700 ");
        }
    }

    @Test
    void shouldSayWhoHasAdministeredItAndWhoWasNotLet() {
        final var security = new SecurityConfig(
                Authenticator.NONE,
                (principal, action, about) -> action != Action.RESET_PUBLISHER || about.equals("anonymous\nfeed"),
                false,
                AnonymousAdministration.LOCAL);
        try (TestBroker test = new TestBroker(builder -> events(builder).security(security))) {
            final RawClient feed = test.logOn("feed");
            feed.publish(2, 7, RawClient.ACK_PROCESSED, "t", "{}".getBytes(UTF_8));
            test.awaitAck(feed, 2);
            feed.resetPublisher(3, "feed", "", 5);
            test.awaitAck(feed, 3);
            feed.resetPublisher(4, "feed", "ann", 5);
            feed.resetPublisher(5, "fe\ned", "", 5);
            test.settle();

            assertThat(lines(EventKind.ADMINISTRATION))
                    .singleElement()
                    .asString()
                    .endsWith(" user=anonymous client=feed what=\"reset publisher anonymous/feed to 5\"");
            assertThat(lines(EventKind.ADMINISTRATION_REFUSED))
                    .singleElement()
                    .asString()
                    .contains(" user=anonymous client=feed ")
                    .endsWith(" what=\"reset publisher ann/feed\"");
            assertThat(feed.errors).containsExactly(ErrorCode.NOT_AUTHORIZED, ErrorCode.BAD_TEXT);
        }
    }

    @Test
    void shouldSayWhoHasAdministeredItWhenTheReplyComesToNobody() {
        try (TestBroker test = new TestBroker(builder -> events(builder).shardCount(3))) {
            final RawClient feed = test.logOn("feed");
            feed.publish(2, 7, RawClient.ACK_PROCESSED, "t", "{}".getBytes(UTF_8));
            test.awaitAck(feed, 2);

            // The command is read, and then the connection ends before a shard has replied.
            final RawClient first = test.logOn("first");
            first.resetPublisher(3, "feed", "", 5);
            first.disconnect();
            test.settle();
            final RawClient second = test.logOn("second");
            second.deleteTopic(3, "t");
            second.disconnect();
            test.settle();
            final RawClient third = test.logOn("third");
            third.resetPublisher(3, "nobody", "", 5);
            third.disconnect();
            test.settle();
            final RawClient fourth = test.logOn("fourth");
            fourth.deleteTopic(3, "t");
            fourth.disconnect();
            test.settle();

            assertThat(test.broker.counter("sessions")).isEqualTo(1);
            assertThat(lines(EventKind.ADMINISTRATION)).hasSize(2);
            assertThat(lines(EventKind.ADMINISTRATION).get(0))
                    .matches("administration peer=\\S+ user=anonymous client=first"
                            + " what=\"reset publisher anonymous/feed to 5\"");
            assertThat(lines(EventKind.ADMINISTRATION).get(1))
                    .matches("administration peer=\\S+ user=anonymous client=second what=\"delete topic t\"");
        }
    }

    @Test
    void shouldSayOnceWhatAnAdministratorHasDoneInManyShards() {
        try (TestBroker test = new TestBroker(builder -> events(builder).shardCount(4))) {
            final RawClient feed = test.logOn("feed");
            for (int i = 0; i < 9; i++) {
                feed.publish(2 + i, 1 + i, RawClient.ACK_PROCESSED, "t" + i, "{}".getBytes(UTF_8));
            }
            test.awaitAck(feed, 10);
            feed.resetPublisher(20, "feed", "", 5);
            test.awaitAck(feed, 20);
            final RawClient gone = test.logOn("gone");
            gone.resetPublisher(3, "feed", "", 4);
            gone.disconnect();
            test.settle();

            assertThat(feed.lastReturned).as("shards that know it").isGreaterThan(1);
            assertThat(lines(EventKind.ADMINISTRATION))
                    .extracting(line -> line.substring(line.indexOf("client=")))
                    .containsExactly(
                            "client=feed what=\"reset publisher anonymous/feed to 5\"",
                            "client=gone what=\"reset publisher anonymous/feed to 4\"");
        }
    }

    @Test
    void shouldSayNothingOfRightsWhenItHasMadeTheFolder() {
        try (TestBroker test = new TestBroker(builder -> events(builder)
                .journal(JournalConfig.in(directory.resolve("made").toString())))) {
            test.cycle();

            assertThat(lines(EventKind.WIDE_RIGHTS)).isEmpty();
        }
    }

    private static void flood(
            final TestBroker test, final RawClient publisher, final int count, final String... texts) {
        for (int i = 0; i < count; i++) {
            test.publish(publisher, "t", texts[i % texts.length]);
        }
        test.flush(publisher);
    }

    private BrokerConfig.Builder journaled(final BrokerConfig.Builder builder) {
        return events(builder).journal(JournalConfig.in(directory.toString()).withFileLength(64 * 1024));
    }

    private BrokerConfig.Builder events(final BrokerConfig.Builder builder) {
        return builder.events(events::add);
    }

    private List<String> lines(final EventKind kind) {
        return events.stream()
                .filter(event -> event.kind() == kind)
                .map(Event::toString)
                .toList();
    }
}
