package io.penstock.admin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which peers are on this machine, by their names. */
class PeerNameTest {
    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:40112, true",
        "https://127.8.0.1:1, true",
        "https://[0:0:0:0:0:0:0:1]:9, true",
        "http://192.0.2.1:40112, false",
        "https://[2001:db8:0:0:0:0:0:1]:9, false",
        "https://[fe80:0:0:0:0:0:0:1%eth0]:9, false",
        "gone, false",
        "http://localhost:1, false",
    })
    void shouldTellWhetherAPeerIsOnThisMachine(final String peer, final boolean isLocal) {
        assertThat(PeerName.isLocal(peer)).isEqualTo(isLocal);
    }
}
