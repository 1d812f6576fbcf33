package io.penstock.spring.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.client.Bookmark;
import io.penstock.client.LogPlace;
import io.penstock.client.ReplayRequest;
import io.penstock.client.ReplayRequest.Missing;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LogProgressTest {
    private final ReplayRequest request = ReplayRequest.topic("orders");

    @Test
    void shouldBeginAsAskedForWhenNothingHasCome() {
        final LogProgress progress = new LogProgress(request);

        assertThat(progress.next()).isEqualTo(request);
        assertThat(progress.next()).isEqualTo(request);
    }

    @Test
    void shouldGoOnAfterTheLastMessageOfEachShardWhenSomeHaveCome() {
        final LogProgress progress = new LogProgress(request);
        assertThat(progress.take(0, 7, 1)).isTrue();
        assertThat(progress.take(2, 3, 1)).isTrue();
        assertThat(progress.take(0, 9, 1)).isTrue();

        assertThat(progress.next())
                .isEqualTo(request.from(LogPlace.bookmark(Bookmark.parse("0:9,2:3")))
                        .ifMissing(Missing.BEGINNING));
        assertThat(progress.take(1, 1, 0)).isTrue();
    }

    @Test
    void shouldGoOnAfterTheBookmarkInShardsOfWhichNothingHasCome() {
        final ReplayRequest fromBookmark = request.from(LogPlace.bookmark(Bookmark.parse("0:5,1:6")));
        final LogProgress progress = new LogProgress(fromBookmark);
        progress.take(0, 8, 1);

        assertThat(progress.next().from()).isEqualTo(LogPlace.bookmark(Bookmark.parse("0:8,1:6")));
    }

    @Test
    void shouldLeaveOutWhatIsOlderThanTheTimeInShardsOfWhichNothingHasCome() {
        final LogProgress progress = new LogProgress(request.from(LogPlace.time(Instant.ofEpochSecond(0, 100))));
        progress.take(0, 8, 150);
        assertThat(progress.next().from()).isEqualTo(LogPlace.bookmark(Bookmark.of(0, 8)));

        assertThat(progress.take(1, 1, 99)).isFalse();
        assertThat(progress.take(1, 2, 100)).isTrue();
        assertThat(progress.take(1, 3, 50)).isTrue();
    }

    @Test
    void shouldLeaveOutWhatIsOlderThanTheFirstMessageWhenItBeganWithNewOnes() {
        final LogProgress progress = new LogProgress(request.from(LogPlace.NOW));
        progress.take(0, 8, 150);
        assertThat(progress.take(1, 4, 140))
                .as("before it was lost, all is new")
                .isTrue();
        progress.next();

        assertThat(progress.take(2, 1, 149)).isFalse();
        assertThat(progress.take(2, 2, 150)).isTrue();
    }
}
