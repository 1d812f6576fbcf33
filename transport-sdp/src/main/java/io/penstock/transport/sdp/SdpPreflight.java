package io.penstock.transport.sdp;

import io.penstock.nativeaccess.NativeAccess;
import io.penstock.nativeaccess.NativeErrors;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Whether this Java and this kernel can do it at all, asked before any socket is made. */
final class SdpPreflight {
    static final String RULES_PROPERTY = "com.sun.sdp.conf";
    static final String IPV4_PROPERTY = "java.net.preferIPv4Stack";

    static final int AF_INET_SDP = 27;

    private static final int SOCK_STREAM = 1;
    private static final int JAVA_LAST = 25;

    private final NativeAccess access;

    SdpPreflight(final NativeAccess access) {
        this.access = access;
    }

    /** Why it cannot be done, and what helps. */
    record Obstacle(String reason, String remedy) {}

    /** The first thing in the way, or null. */
    @Nullable
    Obstacle obstacle(final int javaVersion, final UnaryOperator<@Nullable String> properties) {
        if (javaVersion > JAVA_LAST) {
            return new Obstacle(
                    "Java " + javaVersion + " knows no SDP, the last one that did is " + JAVA_LAST,
                    "use Java 17 to " + JAVA_LAST + ", or the schemes smc or rsocket");
        }
        final String rules = properties.apply(RULES_PROPERTY);
        if (rules == null || rules.isEmpty()) {
            return new Obstacle(
                    "Java was started without " + RULES_PROPERTY,
                    "start it with -D" + RULES_PROPERTY + "=FILE -D" + IPV4_PROPERTY
                            + "=true; the file is made if it is not there");
        }
        if (!Boolean.parseBoolean(properties.apply(IPV4_PROPERTY))) {
            return new Obstacle(
                    "Java does it for IPv4 alone, and was started without " + IPV4_PROPERTY,
                    "start it with -D" + IPV4_PROPERTY + "=true");
        }
        final int fd = access.socketOpen(AF_INET_SDP, SOCK_STREAM, 0);
        if (fd < 0) {
            return new Obstacle(
                    "the kernel has no sockets of the family AF_INET_SDP: " + NativeErrors.text(access, fd),
                    "load a driver that has them, as OFED had, or use the schemes smc or rsocket");
        }
        access.descriptorClose(fd);
        return null;
    }
}
