package io.penstock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.protocol.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BookmarkTest {
    @Test
    void shouldWriteShardsInTheirOrder() {
        final Bookmark bookmark = Bookmark.of(2, 7).with(0, 1234).with(1, 99).with(2, 8);

        assertThat(bookmark).hasToString("0:1234,1:99,2:8").isEqualTo(Bookmark.parse("2:8,1:99,0:1234"));
        assertThat(bookmark.sequence(1)).isEqualTo(99);
        assertThat(bookmark.sequence(3)).isEqualTo(-1);
        assertThat(Bookmark.parse("")).isEqualTo(Bookmark.NONE).hasToString("");
    }

    @Test
    void shouldTakeTheOldestOfSeveral() {
        assertThat(Bookmark.parse("0:12,1:4,0:9,0:10")).hasToString("0:9,1:4");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "0",
                "0:",
                ":1",
                "0:1,",
                ",0:1",
                "0:1;1:2",
                "a:1",
                "0:-1",
                "-1:0",
                "4096:1",
                " 0:1",
                "0:1:2",
                "0:1234567890123456789",
                "0:1,,1:2"
            })
    void shouldRefuseWhatIsNoBookmark(final String text) {
        assertThatThrownBy(() -> Bookmark.parse(text))
                .isInstanceOfSatisfying(
                        PenstockException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.BAD_TEXT))
                .hasMessageContaining(text);
    }
}
