package io.penstock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.broker.BrokerConfig;
import io.penstock.broker.JournalConfig;
import io.penstock.broker.ThreadingMode;
import io.penstock.broker.TopicConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterConfigTest {
    private static final List<String> LOCAL = List.of("127.0.0.1:9300", "127.0.0.1:9310", "localhost:9300");

    private static ClusterConfig with(final List<String> members, final boolean trusted) {
        return new ClusterConfig(0, members, "d", "", trusted, 1000, 1, false);
    }

    @Test
    void shouldNameSixPortsInARowWhenAMember() {
        final List<NodePlace> places = ClusterConfig.of(0, LOCAL, "d").places();

        assertThat(NodePlace.members(places))
                .startsWith("0,127.0.0.1:9300,127.0.0.1:9301,127.0.0.1:9302,127.0.0.1:9303,127.0.0.1:9304|1,");
        assertThat(places.get(0).logControl()).isEqualTo("127.0.0.1:9305");
        assertThat(NodePlace.ingresses(places)).isEqualTo("0=127.0.0.1:9300,1=127.0.0.1:9310,2=localhost:9300");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a:",
                ":9300",
                "a:x",
                "a:0",
                "a:65531",
                "a b:9300",
                "a,b:9300",
                "a|b:1",
                "::1:9300",
                "a/b:1"
            })
    void shouldBeRefusedWhenNotHostAndPort(final String member) {
        assertThatThrownBy(() -> with(List.of(member), true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cluster.members: not HOST:PORT: " + member);
    }

    @Test
    void shouldBeRefusedWhenTwoMembersShareAPort() {
        assertThatThrownBy(() -> with(List.of("127.0.0.1:9300", "127.0.0.1:9305", "127.0.0.1:9320"), false))
                .hasMessageStartingWith("cluster.members: 127.0.0.1:9305: uses ports of 127.0.0.1:9300");
    }

    @Test
    void shouldBeRefusedWhenThereIsNoOddNumberOfMembers() {
        assertThatThrownBy(() -> with(LOCAL.subList(0, 2), false))
                .hasMessageStartingWith("cluster.members: not an odd number up to 7: 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1:9300", "node.example.com:9300", "[::2]:9300", "128.0.0.1:9300"})
    void shouldBeRefusedWhenOtherMachinesCanReachIt(final String member) {
        assertThatThrownBy(() -> with(List.of(member), false))
                .hasMessageStartingWith("cluster.members: other machines can reach " + member)
                .hasMessageContaining("cluster.trustedNetwork: true");
        assertThat(with(List.of(member), true).isUsed()).isTrue();
    }

    @Test
    void shouldBeRefusedWhenTheMemberIsNone() {
        assertThatThrownBy(() -> ClusterConfig.of(3, LOCAL, "d"))
                .hasMessage("cluster.member: out of range: 3 (use 0 to 2)");
    }

    @Test
    void shouldBeRefusedWhenMessagesMayBeLostAndNobodySaidSo() {
        assertThatThrownBy(() -> new ClusterConfig(0, LOCAL, "d", "", false, 1000, 0, false))
                .hasMessageContaining("cluster.syncLevel: 0")
                .hasMessageContaining("cluster.unsafe: true");
        assertThat(new ClusterConfig(0, LOCAL, "d", "", false, 1000, 0, true).syncLevel())
                .isZero();
    }

    @Test
    void shouldRefuseABrokerWhenItCannotBeANode() {
        final ClusterConfig cluster = ClusterConfig.of(0, LOCAL, "d");

        assertThatThrownBy(() -> cluster.check(
                        BrokerConfig.builder().threading(ThreadingMode.INVOKER).build()))
                .hasMessageStartingWith("threading:");
        assertThatThrownBy(() -> cluster.check(
                        BrokerConfig.builder().journal(JournalConfig.in("x")).build()))
                .hasMessageStartingWith("journal.directory:");
        assertThatThrownBy(() -> cluster.check(BrokerConfig.builder()
                        .topic(new TopicConfig("t", false, "json", 0, "", 0, false))
                        .build()))
                .hasMessageStartingWith("topics.journaled: is false for t");
        cluster.check(BrokerConfig.builder().build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"d", "./d", ".", "e/../d"})
    void shouldBeRefusedWhenTheDriverWouldDeleteTheDirectory(final String driver) {
        assertThatThrownBy(() -> new ClusterConfig(0, LOCAL, "d", driver, false, 1000, 1, false))
                .hasMessageStartingWith("cluster.driverDirectory: cluster.directory is in it: " + driver);
        assertThat(new ClusterConfig(0, LOCAL, "d", "d-driver", false, 1000, 1, false).driverPath())
                .isEqualTo(Path.of("d-driver/driver").toAbsolutePath());
    }

    @Test
    void shouldHaveDriversApartWhenOfSeveralNodes() {
        assertThat(ClusterConfig.of(0, LOCAL, "d").driverPath())
                .isNotEqualTo(ClusterConfig.of(1, LOCAL, "d").driverPath())
                .isNotEqualTo(ClusterConfig.of(0, LOCAL, "e").driverPath())
                .isEqualTo(ClusterConfig.of(0, LOCAL, "./d").driverPath());
    }
}
