package io.penstock.standalone.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.header.Headers;
import org.junit.jupiter.api.Test;

class HeaderTextTest {
    private static final Headers HEADERS = Headers.builder()
            .put("note", "a\tb\n\"c\"")
            .put("hops", -7)
            .put("raw", new byte[] {0, -1})
            .build();

    @Test
    void shouldBeOneColumnWithoutTabsAndLines() {
        assertThat(HeaderText.column(HEADERS)).isEqualTo("note=a b \"c\", hops=-7, raw=AP8=");
        assertThat(HeaderText.column(Headers.NONE)).isEmpty();
    }

    @Test
    void shouldBeAJsonObjectWithNumbersAndEscapedTexts() {
        assertThat(HeaderText.json(HEADERS)).isEqualTo("{\"note\":\"a\\tb\\n\\\"c\\\"\",\"hops\":-7,\"raw\":\"AP8=\"}");
        assertThat(HeaderText.json(Headers.NONE)).isEqualTo("{}");
    }
}
