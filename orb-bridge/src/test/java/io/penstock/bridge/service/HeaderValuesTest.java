package io.penstock.bridge.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.penstock.orb.BrokerException;
import io.penstock.orb.Header;
import io.penstock.protocol.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderValuesTest {
    @ParameterizedTest
    @CsvSource({
        "'x\u0000y', 'header: a: has the character U+0000 at 1 (give it as bytes)'",
        "'xy\ud800', 'header: a: has half of a surrogate pair at 2 (give both halves)'",
        "'\ud800x', 'header: a: has half of a surrogate pair at 0 (give both halves)'",
        "'\udc00', 'header: a: has half of a surrogate pair at 0 (give both halves)'",
        "'\ud83d\ude00\ud83d', 'header: a: has half of a surrogate pair at 2 (give both halves)'"
    })
    void shouldRefuseTextsThatAClientCouldNotBeGiven(final String text, final String reason) {
        final BrokerException refusal = catchThrowableOfType(
                BrokerException.class, () -> HeaderValues.read(new Header[] {Header.of("a", text)}));

        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_HEADER.code());
        assertThat(refusal.text()).isEqualTo(reason);
    }

    @Test
    void shouldKeepTextsOfAllOtherCharacters() throws BrokerException {
        final String text = "\u0001 \u00e9 \u20ac \ud83d\ude00";

        assertThat(HeaderValues.of(HeaderValues.read(new Header[] {Header.of("a", text)})))
                .singleElement()
                .satisfies(each -> assertThat(each.text()).isEqualTo(text));
    }
}
