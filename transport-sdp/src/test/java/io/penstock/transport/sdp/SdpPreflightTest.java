package io.penstock.transport.sdp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.nativeaccess.NativeLibrary;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SdpPreflightTest {
    private static final Map<String, String> ALL =
            Map.of("com.sun.sdp.conf", "/etc/sdp.conf", "java.net.preferIPv4Stack", "true");

    @BeforeEach
    void needLibrary() {
        assumeTrue(NativeLibrary.get().isAvailable(), NativeLibrary.get().report());
    }

    @Test
    void shouldRefuseWhenJavaIsTooNew() {
        final SdpPreflight.Obstacle obstacle = obstacle(26, ALL);

        assertThat(obstacle.reason()).isEqualTo("Java 26 knows no SDP, the last one that did is 25");
        assertThat(obstacle.remedy()).contains("17 to 25").contains("smc or rsocket");
    }

    @Test
    void shouldRefuseWhenJavaWasStartedWithoutRules() {
        final SdpPreflight.Obstacle obstacle = obstacle(25, Map.of());

        assertThat(obstacle.reason()).isEqualTo("Java was started without com.sun.sdp.conf");
        assertThat(obstacle.remedy()).contains("-Dcom.sun.sdp.conf=FILE -Djava.net.preferIPv4Stack=true");
    }

    @Test
    void shouldRefuseWhenJavaUsesBothKindsOfAddresses() {
        assertThat(obstacle(17, Map.of("com.sun.sdp.conf", "x")).reason())
                .isEqualTo("Java does it for IPv4 alone, and was started without java.net.preferIPv4Stack");
    }

    @Test
    void shouldRefuseWhenTheKernelHasNoSuchSockets() {
        final int fd = NativeLibrary.get().access().socketOpen(SdpPreflight.AF_INET_SDP, 1, 0);
        assumeTrue(fd < 0, "this kernel has them");

        assertThat(obstacle(25, ALL).reason())
                .startsWith("the kernel has no sockets of the family AF_INET_SDP: ")
                .endsWith("(errno 97)");
    }

    private static SdpPreflight.Obstacle obstacle(final int javaVersion, final Map<String, String> properties) {
        final SdpPreflight.Obstacle obstacle =
                new SdpPreflight(NativeLibrary.get().access()).obstacle(javaVersion, properties::get);
        return Objects.requireNonNull(obstacle, "nothing is in the way");
    }
}
