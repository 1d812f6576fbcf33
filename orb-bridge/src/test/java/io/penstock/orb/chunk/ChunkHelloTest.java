package io.penstock.orb.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkHelloTest {
    @Test
    void shouldHaveItsLayoutWhenWritten() throws Exception {
        final byte[] bytes = new ChunkHello(65_536, 524_288, 1024, 60_000).bytes();

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("504e534b" + "0001" + "0000" + "00010000" + "00080000" + "00000400" + "0000ea60");
        final ChunkHello read = ChunkHello.read(bytes, 0);
        assertThat(read.frameLengthMax()).isEqualTo(65_536);
        assertThat(read.windowLength()).isEqualTo(524_288);
        assertThat(read.streamCountMax()).isEqualTo(1024);
        assertThat(read.idleTimeoutMs()).isEqualTo(60_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    4a524d49000100000001000000080000000004000000ea60 | chunk hello: not one: 0x4a524d49 (the other side is no Penstock bridge, or an older one)
                    504e534b000200000001000000080000000004000000ea60 | chunk hello: version 2, not 1 (use a client and a bridge of the same release)
                    504e534b000100000001000100080000000004000000ea60 | chunk hello: frame length out of range: 65537 (1024 to 65536)
                    504e534b000100000001000000000000000004000000ea60 | chunk hello: window out of range: 0 (1024 to 16777216)
                    504e534b00010000000100000008000000000000000000ff | chunk hello: streams out of range: 0 (1 to 65536)
                    504e534b0001000000010000000800000000040080000000 | chunk hello: idle time out of range: -2147483648 (0 to 2147483647)
                    """)
    void shouldSayWhatIsWrongWhenNotUnderstood(final String bytes, final String message) {
        assertThatThrownBy(() -> ChunkHello.read(HexFormat.of().parseHex(bytes), 0))
                .hasMessage(message);
    }
}
