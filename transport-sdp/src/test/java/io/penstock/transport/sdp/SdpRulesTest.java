package io.penstock.transport.sdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.transport.stream.StreamEndpoint;
import io.penstock.transport.stream.StreamMedium;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SdpRulesTest {
    @TempDir
    private Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void name() {
        file = folder.resolve("sdp.conf");
    }

    @Test
    void shouldMakeTheFileWhenItIsNotThere() throws IOException {
        rules().require(SdpRules.Action.BIND, endpoint("10.0.0.1", 5000));

        assertThat(Files.readString(file)).endsWith("\nbind 10.0.0.1 5000\n");
        assertThatCode(() -> rules().require(SdpRules.Action.BIND, endpoint("10.0.0.1", 5000)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> rules().require(SdpRules.Action.CONNECT, endpoint("10.0.0.1", 5000)))
                .isInstanceOf(IOException.class)
                .hasMessage("sdp://10.0.0.1:5000: no rule for it in " + file
                        + " (add the line 'connect 10.0.0.1 5000' and start again)");
    }

    @ParameterizedTest
    @CsvSource({
        "connect 10.0.0.1 5000, true",
        "CONNECT 10.0.0.1 *, true",
        "connect * 5000, true",
        "connect 10.0.0.0/24 4000-5000, true",
        "connect 10.0.0.0/31 5000-*, true",
        "connect 0.0.0.0/0 5000, true",
        "connect localhost 5000, false",
        "connect 10.0.0.2 5000, false",
        "connect 10.0.0.2/31 5000, false",
        "connect 10.0.0.1 5001, false",
        "connect 10.0.0.1 1-4999, false",
        "bind 10.0.0.1 5000, false",
        "# connect 10.0.0.1 5000, false",
    })
    void shouldSayWhetherARuleCoversTheEndpoint(final String line, final boolean covers) throws IOException {
        Files.writeString(file, "\n# rules\n" + line + "\n");

        if (covers) {
            assertThatCode(() -> rules().require(SdpRules.Action.CONNECT, endpoint("10.0.0.1", 5000)))
                    .doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> rules().require(SdpRules.Action.CONNECT, endpoint("10.0.0.1", 5000)))
                    .hasMessageContaining("no rule for it");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"connect 10.0.0.1", "listen 10.0.0.1 5000", "connect 10.0.0.1 x", "connect 10.0.0.1/x 5000"})
    void shouldNameTheLineWhenItIsNoRule(final String line) throws IOException {
        Files.writeString(file, "bind 10.0.0.9 1\n" + line + "\n");

        assertThatThrownBy(() -> rules().require(SdpRules.Action.CONNECT, endpoint("10.0.0.1", 5000)))
                .isInstanceOf(IOException.class)
                .hasMessage(file + ":2: not a rule: " + line + " (use for example 'bind 10.0.0.1 5000-5010')");
    }

    private SdpRules rules() {
        return new SdpRules(file);
    }

    private static StreamEndpoint endpoint(final String host, final int port) throws IOException {
        return StreamEndpoint.parse(URI.create("sdp://" + host + ":" + port), StreamMedium.plain("sdp"));
    }
}
