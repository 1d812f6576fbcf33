package io.penstock.jmh.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Role;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages from a publisher to a subscriber, all on one thread, without permissions, with permissions without filters, and
 * with one filter that each message satisfies; in alternating rounds. Beside that the same filter, given by the client.
 *
 * <p>The argument is the number of rounds, 30 unless given. The first fifth of them warms up.
 */
public final class DeliveryWithPermissions {
    private static final UnsafeBuffer MESSAGE = new UnsafeBuffer(("{\"id\":12345,\"desk\":\"EMEA\",\"symbol\":\"IBM\","
                    + "\"side\":\"B\",\"qty\":100,\"price\":123.45,\"account\":\"A-7788\",\"text\":\""
                    + "x".repeat(80) + "\"}")
            .getBytes(UTF_8));

    private DeliveryWithPermissions() {}

    /** Runs it. */
    public static void main(final String... args) {
        DeliveryRounds.run(
                List.of(
                        of("none", PermissionsConfig.defaults(), ""),
                        of("none again", PermissionsConfig.defaults(), ""),
                        of("without filter", permissions("", ""), ""),
                        of("filter to read", permissions("", "desk = USER('desk')"), ""),
                        of("filter to publish", permissions("desk = USER('desk')", ""), ""),
                        of("filter of the client", PermissionsConfig.defaults(), "desk = 'EMEA'")),
                args.length == 0 ? 30 : Integer.parseInt(args[0]));
    }

    private static DeliveryCase of(final String name, final PermissionsConfig permissions, final String filter) {
        return new DeliveryCase(name, MESSAGE, permissions, filter);
    }

    private static PermissionsConfig permissions(final String toPublish, final String toRead) {
        return new PermissionsConfig(
                "",
                List.of(new Role(
                        "trader",
                        List.of(
                                PermissionRule.allow(List.of("publish"), List.of("orders"), toPublish),
                                PermissionRule.allow(List.of("read"), List.of("orders"), toRead),
                                PermissionRule.allow(List.of("create"), List.of("*"), "")))));
    }
}
