package io.penstock.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.AckMode;
import io.penstock.client.BookmarkStore;
import io.penstock.client.ReplayRequest;
import io.penstock.client.session.CommandFrame;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** How far named subscriptions have come. */
class ReplayTest {
    private final BookmarkStore store = BookmarkStore.inMemory();
    private final List<String> wakeups = new ArrayList<>();

    @Test
    void shouldNoteWhatItsHandlerHasSeenAndGoOnBehindIt() {
        final Replay replay = replay(AckMode.AUTO);
        replay.onBegin(0, 4, -1);
        replay.onBegin(1, 0, -1);
        assertThat(store.last("mine")).hasToString("0:4,1:0");
        take(replay, 0, 7);
        take(replay, 1, 2);
        assertThat(store.last("mine")).hasToString("0:7,1:2");
        assertThat(replay.isRepeated(0, 7)).isTrue();
        assertThat(replay.isRepeated(0, 8)).isFalse();
        assertThat(bookmarkOf(replay)).contains("0:7,1:2");
        assertThat(bookmarkOf(replay(AckMode.AUTO))).contains("0:7,1:2");
    }

    @Test
    void shouldNoteUpToTheFirstThatIsNotAcknowledged() {
        final Replay replay = replay(AckMode.MANUAL);
        replay.onBegin(0, 0, -1);
        take(replay, 0, 1);
        take(replay, 0, 3);
        assertThat(replay.hasRoom()).isTrue();
        take(replay, 0, 5);
        assertThat(replay.hasRoom()).isFalse();
        replay.onProcessed(0, 3);
        assertThat(store.last("mine")).hasToString("0:0");
        assertThat(wakeups).isEmpty();
        replay.onProcessed(0, 1);
        assertThat(store.last("mine")).hasToString("0:3");
        assertThat(wakeups).containsExactly("wakeup");
        replay.onProcessed(0, 99);
        assertThat(store.last("mine")).hasToString("0:3");
        assertThat(bookmarkOf(replay)).as("on a new connection").contains("0:5");
        assertThat(bookmarkOf(replay(AckMode.MANUAL))).as("in a new run").contains("0:3");
    }

    @Test
    void shouldCountAMessageOnceWhenItWasRefusedAndIsOfferedAgain() {
        final Replay replay = replay(AckMode.MANUAL);
        replay.onBegin(0, 0, -1);
        assertThat(replay.isOffered(0, 1)).isFalse();
        replay.onOffered(0, 1);
        assertThat(replay.isOffered(0, 1)).isTrue();
        assertThat(replay.isOffered(1, 1)).isFalse();
        replay.onTaken(0, 1);
        replay.onProcessed(0, 1);
        assertThat(replay.isOffered(0, 1)).isFalse();
        assertThat(store.last("mine")).hasToString("0:1");
    }

    private Replay replay(final AckMode mode) {
        return new Replay("mine", ReplayRequest.topic("orders"), store, mode, 3, () -> wakeups.add("wakeup"));
    }

    private static void take(final Replay replay, final int shard, final long sequence) {
        replay.onOffered(shard, sequence);
        replay.onTaken(shard, sequence);
    }

    private static String bookmarkOf(final Replay replay) {
        final CommandFrame frame = replay.frame(1);
        final byte[] bytes = new byte[frame.length()];
        new UnsafeBuffer(frame.buffer(), 0, frame.length()).getBytes(0, bytes);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
