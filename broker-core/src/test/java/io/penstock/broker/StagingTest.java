package io.penstock.broker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.Authorizer;
import io.penstock.broker.security.Principal;
import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.PublishEncoder;
import io.penstock.transport.TransportContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.Test;

/** Who gets room for messages that do not fit a fragment, when others hold it. */
class StagingTest {
    private static final int MESSAGE_LENGTH_MAX = 1024 * 1024 - 100;
    private static final int STAGING_LENGTH = 8 * 1024 * 1024;
    private static final int HEARTBEAT_MS = 10_000;
    private static final int PROGRESS_MS = 1_000;
    private static final int PEERS = 20;
    private static final int START_LENGTH = TransportContext.FRAGMENT_LENGTH_MIN;
    private static final byte[] LONG = publish(MESSAGE_LENGTH_MAX - 100);

    @Test
    void shouldTakeShorterMessagesAtOnceWhenManyPeersHaveStalledInLongOnes() {
        try (TestBroker test = broker()) {
            final List<RawClient> stalled = stalled(test, PEERS, "");
            final RawClient healthy = test.logOn("healthy");
            for (int i = 2; i < 20; i++) {
                healthy.publish(i, 0, RawClient.ACK_PROCESSED, "t", new byte[200_000]);
                test.settle();

                assertThat(healthy.acks).containsKey((long) i);
            }
            assertThat(stalled).allMatch(peer -> peer.errors.isEmpty() && !peer.disconnected);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldTakeTheRoomOfTheStalledWhenAnotherNeedsIt() {
        try (TestBroker test = broker()) {
            final List<RawClient> stalled = stalled(test, PEERS, "");
            final RawClient healthy = test.logOn("healthy");
            int sent = 0;
            for (int i = 0; i < PEERS && healthy.acks.isEmpty(); i++) {
                while (sent < LONG.length && sendNext(healthy, sent)) {
                    sent = Math.min(LONG.length, sent + START_LENGTH);
                }
                test.advance(PROGRESS_MS / 2);
            }

            assertThat(healthy.acks).containsKey(2L);
            final List<RawClient> evicted =
                    stalled.stream().filter(peer -> peer.disconnected).toList();
            assertThat(evicted).isNotEmpty();
            for (final RawClient peer : evicted) {
                assertThat(peer.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
                assertThat(peer.errorTexts)
                        .containsExactly("frame: stalled while others need its room: " + START_LENGTH + " of "
                                + LONG.length + " bytes, and less than 65536 in the last " + PROGRESS_MS
                                + " ms (send a message without pauses, or raise sessions.frameProgressMs)");
            }
            assertThat(test.broker.counter("stalledFrames")).isEqualTo(evicted.size());
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldLeaveTheStalledAloneUntilTheDeadlineWhenNobodyNeedsTheirRoom() {
        try (TestBroker test = broker()) {
            final RawClient peer = stalled(test, 1, "").get(0);
            final RawClient healthy = test.logOn("healthy");
            test.advance(2 * HEARTBEAT_MS);
            healthy.publish(2, 0, RawClient.ACK_PROCESSED, "t", new byte[200_000]);
            test.settle();

            assertThat(healthy.acks).containsKey(2L);
            assertThat(peer.errors).isEmpty();
            healthy.heartbeat();
            test.advance(2 * HEARTBEAT_MS);
            assertThat(peer.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
            assertThat(peer.disconnected).isTrue();
            assertThat(test.broker.counter("stalledFrames")).isZero();
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldLetASenderFinishWhenItGoesOnWhileOthersNeedItsRoom() {
        try (TestBroker test = broker()) {
            final RawClient slow = stalled(test, 1, "").get(0);
            final List<RawClient> stalled = stalled(test, PEERS, "");
            for (int sent = START_LENGTH; sent < LONG.length; sent += START_LENGTH) {
                test.advance(PROGRESS_MS * 9 / 10);
                assertThat(sendNext(slow, sent)).isTrue();
            }
            test.settle();

            assertThat(slow.acks).containsKey(2L);
            assertThat(slow.errors).isEmpty();
            assertThat(stalled).anyMatch(peer -> peer.disconnected);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldTakeTheRoomOfATricklerWhenAnotherNeedsIt() {
        try (TestBroker test = broker()) {
            final RawClient trickler = stalled(test, 1, "").get(0);
            stalled(test, PEERS, "");
            int sent = START_LENGTH;
            for (int i = 0; i < 20 && !trickler.disconnected; i++) {
                test.advance(PROGRESS_MS / 10);
                trickler.sendPart(new byte[1], LONG.length - ++sent);
            }
            test.settle();

            assertThat(trickler.fatalErrors).containsExactly(ErrorCode.TIMED_OUT);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldTakeLongMessagesAtOnceWhenTheStalledAreOfAnotherUser() {
        try (TestBroker test = broker()) {
            stalled(test, PEERS, "crowd");
            final RawClient healthy = test.connect();
            healthy.logon("healthy", "healthy", 0);
            test.settle();
            healthy.publish(2, 0, RawClient.ACK_PROCESSED, "t", new byte[MESSAGE_LENGTH_MAX - 100]);
            test.settle();

            assertThat(healthy.acks).containsKey(2L);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldTakeTheRoomOfItsOwnUserFirstWhenThatHoldsTooMuch() {
        try (TestBroker test = broker()) {
            final RawClient other = stalled(test, 1, "other").get(0);
            test.advance(PROGRESS_MS);
            final List<RawClient> crowd = stalled(test, PEERS, "crowd");
            test.advance(2 * PROGRESS_MS);

            assertThat(crowd).anyMatch(peer -> peer.disconnected);
            assertThat(other.errors).isEmpty();
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldNotHoldItsOwnPauseAgainstSenders() {
        try (TestBroker test = broker()) {
            // Of those that are read in a turn, the one that wants room comes first.
            final RawClient waiting = test.connect();
            waiting.logon("", "waiting", 0);
            test.settle();
            final List<RawClient> healthy = stalled(test, PEERS, "healthy");
            healthy.addAll(stalled(test, PEERS, "others"));
            assertThat(waiting.sendPart(Arrays.copyOf(LONG, START_LENGTH), LONG.length - START_LENGTH))
                    .isTrue();
            test.settle();
            healthy.forEach(peer -> sendNext(peer, START_LENGTH));
            test.clock.advance(TimeUnit.MILLISECONDS.toNanos(5 * PROGRESS_MS));
            test.settle();

            assertThat(healthy).allMatch(peer -> peer.errors.isEmpty() && !peer.disconnected);
            test.assertNothingLeaked();
        }
    }

    @Test
    void shouldLeaveTheStalledAloneWhenTheirRoomIsNotEnough() {
        try (TestBroker test = broker()) {
            final List<RawClient> healthy = stalled(test, 5, "healthy");
            healthy.addAll(stalled(test, 2, "others"));
            final byte[] shorter = publish(100_000);
            final RawClient stalled = test.connect();
            stalled.logon("", "stalled", 0);
            test.settle();
            stalled.sendPart(Arrays.copyOf(shorter, START_LENGTH), shorter.length - START_LENGTH);
            test.settle();
            stalled(test, 1, "waiting");
            for (int sent = START_LENGTH; sent < 4 * START_LENGTH; sent += START_LENGTH) {
                for (final RawClient peer : healthy) {
                    assertThat(sendNext(peer, sent)).isTrue();
                }
                test.advance(PROGRESS_MS * 9 / 10);
            }

            assertThat(stalled.errors).isEmpty();
            assertThat(test.broker.counter("stalledFrames")).isZero();
            test.assertNothingLeaked();
        }
    }

    private static TestBroker broker() {
        return new TestBroker(builder -> builder.sessions(new SessionConfig(
                        64, 64, MESSAGE_LENGTH_MAX, 64, 64, 1024, 64, STAGING_LENGTH, HEARTBEAT_MS, 500, PROGRESS_MS))
                .security(new SecurityConfig(
                        logon -> logon.user().isEmpty() ? Principal.ANONYMOUS : new Principal(logon.user()),
                        Authorizer.ALL,
                        false))
                .window(new WindowConfig(4 * 1024 * 1024, 4))
                .formatDefault("binary"));
    }

    /** Peers that have sent the start of a long message, and nothing since. */
    private static List<RawClient> stalled(final TestBroker test, final int count, final String user) {
        final List<RawClient> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            final RawClient peer = test.connect();
            peer.logon("", user, 0);
            test.settle();
            assertThat(peer.sendPart(Arrays.copyOf(LONG, START_LENGTH), LONG.length - START_LENGTH))
                    .isTrue();
            peers.add(peer);
        }
        test.settle();
        return peers;
    }

    private static boolean sendNext(final RawClient client, final int sent) {
        final byte[] part = Arrays.copyOfRange(LONG, sent, Math.min(LONG.length, sent + START_LENGTH));
        return client.sendPart(part, LONG.length - sent - part.length);
    }

    private static byte[] publish(final int length) {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final PublishEncoder encoder = new PublishEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .commandId(2)
                .publisherSequence(0);
        encoder.ackTypes().clear().processed(true);
        encoder.putTopic("t".getBytes(US_ASCII), 0, 1).putPayload(new byte[length], 0, length);
        final byte[] frame = new byte[encoder.limit()];
        buffer.getBytes(0, frame);
        return frame;
    }
}
