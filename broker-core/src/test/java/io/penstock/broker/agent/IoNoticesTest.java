package io.penstock.broker.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.concurrent.IoNotice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class IoNoticesTest {
    private final List<IoNotice> handled = new ArrayList<>();
    private final IoNotices notices = new IoNotices(4, handled::add);

    private record Numbered(int number) implements IoNotice {}

    @Test
    void shouldHandleWhatIsThereInItsOrderUpToALimit() {
        for (int i = 0; i < 4; i++) {
            assertThat(notices.offer(new Numbered(i))).isTrue();
        }
        assertThat(notices.drain(3)).isEqualTo(3);
        assertThat(handled).containsExactly(new Numbered(0), new Numbered(1), new Numbered(2));
        assertThat(notices.drain()).isEqualTo(1);
        assertThat(notices.drain()).isZero();
        assertThat(handled).hasSize(4).endsWith(new Numbered(3));
    }

    @Test
    void shouldRefuseWhenThereIsNoRoom() {
        for (int i = 0; i < 4; i++) {
            notices.offer(new Numbered(i));
        }
        assertThat(notices.offer(new Numbered(4))).isFalse();
        notices.drain(1);
        assertThat(notices.offer(new Numbered(4))).isTrue();
    }
}
