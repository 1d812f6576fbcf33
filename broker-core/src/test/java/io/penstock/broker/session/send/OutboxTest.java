package io.penstock.broker.session.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.Connection;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private final Medium medium = new Medium();
    private final Outbox outbox = new Outbox(medium);
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Outbox.ANSWER_LENGTH_MAX]);

    private void send(final int number) {
        answer.putInt(0, number);
        outbox.send(answer, 0, answer.capacity());
    }

    @Test
    void shouldSendAtOnceWhenTheMediumTakesIt() {
        send(1);

        assertThat(medium.taken).containsExactly(1);
        assertThat(outbox.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepTheOrderWhenTheMediumIsFullForAWhile() {
        medium.room = 1;
        for (int i = 1; i <= 5; i++) {
            send(i);
        }
        assertThat(medium.taken).containsExactly(1);

        medium.room = 2;
        assertThat(outbox.flush()).isFalse();
        assertThat(medium.taken).containsExactly(1, 2, 3);

        medium.room = 100;
        assertThat(outbox.flush()).isTrue();
        send(6);
        assertThat(medium.taken).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(outbox.isEmpty()).isTrue();
    }

    @Test
    void shouldSendNothingWhenALongMessageIsHalfSent() {
        outbox.hold(true);
        send(1);
        assertThat(outbox.flush()).isFalse();
        assertThat(medium.taken).isEmpty();

        outbox.hold(false);
        assertThat(outbox.flush()).isTrue();
        assertThat(medium.taken).containsExactly(1);
    }

    /** Its owner reads no further command while there is no room. */
    @Test
    void shouldHaveRoomForTwoAnswersOrSayThatItHasNone() {
        medium.room = 0;
        int count = 0;
        while (outbox.hasRoom()) {
            send(++count);
            send(++count);
        }
        assertThat(count).isBetween(20, 32);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 10; i++) {
                        send(0);
                    }
                })
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("outbox: no room for an answer of 2048 bytes");
    }

    /** Takes as many frames as there is room for. */
    private static final class Medium implements Connection {
        private final List<Integer> taken = new ArrayList<>();
        private int room = 100;

        @Override
        public long offer(
                final DirectBuffer header,
                final int headerOffset,
                final int headerLength,
                final DirectBuffer body,
                final int bodyOffset,
                final int bodyLength,
                final int remaining) {
            if (room == 0) {
                return BACK_PRESSURED;
            }
            room--;
            taken.add(header.getInt(headerOffset));
            return taken.size();
        }

        @Override
        public long id() {
            return 1;
        }

        @Override
        public String peer() {
            return "peer";
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public int bestSendLength() {
            return 64 * 1024;
        }

        @Override
        public long completedPosition() {
            return taken.size();
        }

        @Override
        public boolean isFlushed() {
            return true;
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void close() {}
    }
}
