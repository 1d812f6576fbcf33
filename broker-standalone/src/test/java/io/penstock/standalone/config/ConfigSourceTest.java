package io.penstock.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.IdleMode;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import io.penstock.broker.config.ConfigException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigSourceTest {
    @TempDir
    private Path folder;

    @Test
    void shouldHaveTheDefaultsWhenNothingIsSaid() throws IOException {
        final BrokerConfig config = configOf("");

        assertThat(config).isEqualTo(BrokerConfig.builder().build());
    }

    @Test
    void shouldTakeEveryKindOfValueWhenGivenInAFile() throws IOException {
        final BrokerConfig config = configOf("""
            listen: [ "tcp://127.0.0.1:0", "inproc:test" ]
            threading: DEDICATED
            idle: busy
            cpus: [2, 4, 6]
            ioAgentCount: 2
            shardCount: 3
            formatDefault: binary
            window:
              segmentLength: 64 MiB
            sessions:
              stagingLengthMax: 1GiB
            topics:
              - name: trades
                format: json
                shard: 2
              - { name: 'x\\..*', pattern: true }
            security:
              allowInsecureListen: true
            """);

        assertThat(config.listen()).containsExactly(URI.create("tcp://127.0.0.1:0"), URI.create("inproc:test"));
        assertThat(config.threading()).isEqualTo(ThreadingMode.DEDICATED);
        assertThat(config.idle()).isEqualTo(IdleMode.BUSY);
        assertThat(config.cpus()).containsExactly(2, 4, 6);
        assertThat(config.ioAgentCount()).isEqualTo(2);
        assertThat(config.shardCount()).isEqualTo(3);
        assertThat(config.window().segmentLength()).isEqualTo(64 * 1024 * 1024);
        assertThat(config.window().segmentCount()).isEqualTo(4);
        assertThat(config.sessions().stagingLengthMax()).isEqualTo(1L << 30);
        assertThat(config.topics())
                .containsExactly(
                        new TopicConfig("trades", false, "json", 2), new TopicConfig("x\\..*", true, "binary", -1));
        assertThat(config.security().allowInsecureListen()).isTrue();
    }

    @Test
    void shouldNameTheKeysForAllPortsWhenTheBridgeHasItsOwnForTls() {
        assertThatThrownBy(() -> new ConfigSource()
                        .value("bridge.rmi.tls.keyStore", "bridge.p12", "--set")
                        .bridge())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("bridge.rmi.tls: has no keys of its own any more (use bridge.rmi.tls: true")
                .hasMessageContaining("tls.clientCertificates: required in place of trustStore");
        assertThat(new ConfigSource()
                        .value("bridge.rmi.tls", "true", "--set")
                        .bridge()
                        .rmi()
                        .tls())
                .isTrue();
    }

    @Test
    void shouldPreferFlagsWhenTheFileSaysOtherwise() throws IOException {
        final Path file = write("listen: tcp://127.0.0.1:1\nwindow: {segmentCount: 5}\ntopics: [{name: a}]\n");

        final BrokerConfig config = new ConfigSource()
                .file(file)
                .list("listen", List.of("inproc:a", "inproc:b"), "--listen")
                .value("window.segmentCount", "7", "--set")
                .value("sessions.logonTimeoutMs", "100", "--set")
                .value("cpus", "3, 1", "--set")
                .topic("b", "binary", "--topic")
                .config();

        assertThat(config.listen()).containsExactly(URI.create("inproc:a"), URI.create("inproc:b"));
        assertThat(config.window().segmentCount()).isEqualTo(7);
        assertThat(config.sessions().logonTimeoutMs()).isEqualTo(100);
        assertThat(config.cpus()).containsExactly(3, 1);
        assertThat(config.topics()).extracting(TopicConfig::name).containsExactly("a", "b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "listne: x|:1: listne: no such key (use one of ",
                "idle: busy\\n"
                        + "window:\\n"
                        + "  segmentlength: 5|:3: window.segmentlength: no such key (did you mean segmentLength?)",
                "window:\\n  segmentLength: 1000|:2: window.segmentLength: not a power of two: 1000 (use ",
                "shardCount: many|:1: shardCount: not a whole number: many (use digits",
                "shardCount: 99999999999|:1: shardCount: too large: 99999999999 (use at most 2147483647)",
                "idle: busy\\ncpus: [1, one]|:2: cpus: not a whole number: one (use digits",
                "cpus: [1, 2, 1]|:1: cpus: named twice: 1 (name each once)",
                "sessions: {stagingLengthMax: 9999999999GiB}|:1: sessions.stagingLengthMax: too large: 9999999999GiB",
                "shardCount: 0|:1: shardCount: too small: 0 (use 1 to 1024)",
                "shardCount:|:1: shardCount: has no value (give one",
                "shardCount: [1, 2]|:1: shardCount: not a single value",
                "window: 5|:1: window: not keys with values",
                "idle: sometimes|:1: idle: no such choice: sometimes (use blocking, back_off, busy)",
                "security: {allowInsecureListen: yes}|not a boolean: yes (use true or false)",
                "listen: 'tcp://a b'|:1: listen: not an endpoint: tcp://a b (use for example",
                "idle: busy\\nidle: blocking|:2: idle: given twice: before it at ",
                "topics: [{format: json}]|topics.name: missing in one of the topics",
                "topics:\\n- name: a\\n  shard: 7|topics.shard: no such shard: 7 for a (use 0 to 0)",
                "- a\\n- b|not keys with values",
                "a: [1|not YAML: ",
                "a: &x [1]\\nb: *x|not YAML: ",
                "nanoClock: x|nanoClock: no such key",
                "nothing: x|:1: nothing: no such key (use one of admin, audit, bridge, cluster, cpus, ",
                "Bridge: x|:1: Bridge: no such key (did you mean bridge?)",
                "topics:\\n- name: a\\n- name: b\\n- name: a|:4: topics.name: declared twice: a, before it at ",
            })
    void shouldNamePlaceKeyReasonAndRemedyWhenAValueIsWrong(final String yaml, final String message)
            throws IOException {
        final Path file = write(yaml.replace("\\n", "\n"));

        assertThatThrownBy(() -> new ConfigSource().file(file).config())
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(file.toString())
                .hasMessageContaining(message);
    }

    @Test
    void shouldNameTheFlagWhenItsValueIsWrong() {
        assertThatThrownBy(() -> new ConfigSource()
                        .value("window.segmentCount", "2", "--set")
                        .config())
                .hasMessage("--set: window.segmentCount: too small: 2 (use 3 to 1024)");
    }

    @Test
    void shouldNameTheFileWhenItIsNotThere() {
        final Path file = folder.resolve("none.yaml");

        assertThatThrownBy(() -> new ConfigSource().file(file))
                .hasMessage(file + ": no such file (give the path of a YAML file)");
    }

    @Test
    void shouldNameTheFileWhenItIsNotText() throws IOException {
        final Path file = folder.resolve("penstock.yaml");
        Files.write(file, new byte[] {'a', ':', (byte) 0xC0, (byte) 0x80});

        assertThatThrownBy(() -> new ConfigSource().file(file))
                .hasMessage(file + ": not UTF-8 text (save it as UTF-8)");
    }

    private BrokerConfig configOf(final String yaml) throws IOException {
        return new ConfigSource().file(write(yaml)).config();
    }

    private Path write(final String yaml) throws IOException {
        final Path file = folder.resolve("penstock.yaml");
        Files.write(file, yaml.getBytes(StandardCharsets.UTF_8));
        return file;
    }
}
