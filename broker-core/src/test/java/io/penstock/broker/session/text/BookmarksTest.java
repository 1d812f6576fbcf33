package io.penstock.broker.session.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BookmarksTest {
    @Test
    void shouldHaveASequenceForEachShardThatIsNamed() {
        assertThat(Bookmarks.sequences("0:1234,2:99", 3)).containsExactly(1234, -1, 99);
        assertThat(Bookmarks.sequences("1:0", 2)).containsExactly(-1, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "0", "0:", ":1", "0:1,", "0:-1", "-1:1", "0:1;1:2", "0:99999999999999999999"})
    void shouldRefuseWhatIsNoBookmark(final String text) {
        assertThatThrownBy(() -> Bookmarks.sequences(text, 2))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("bookmark");
    }

    @Test
    void shouldRefuseAShardThatThereIsNot() {
        assertThatThrownBy(() -> Bookmarks.sequences("0:1,2:5", 2))
                .isInstanceOf(Refusal.class)
                .hasMessage("bookmark: 0:1,2:5: the broker has 2 shards");
    }
}
