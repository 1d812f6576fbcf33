package io.penstock.jmh.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.PermissionsConfig;
import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Role;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of 200 bytes and of 2 KiB from a publisher to a subscriber, all on one thread: without permissions, with one filter that
 * each message satisfies, and with that and two hidden fields, in alternating rounds.
 *
 * <p>The argument is the number of rounds, 30 unless given. The first fifth of them warms up.
 */
public final class DeliveryWithHiddenFields {
    private static final String FILTER = "desk = USER('desk')";

    private DeliveryWithHiddenFields() {}

    /** Runs it. */
    public static void main(final String... args) {
        final int rounds = args.length == 0 ? 30 : Integer.parseInt(args[0]);
        for (final int length : new int[] {200, 2048}) {
            final UnsafeBuffer message = message(length);
            final String of = " of " + message.capacity() + " bytes";
            DeliveryRounds.run(
                    List.of(
                            new DeliveryCase("none" + of, message, PermissionsConfig.defaults(), ""),
                            new DeliveryCase("none again" + of, message, PermissionsConfig.defaults(), ""),
                            new DeliveryCase("filter" + of, message, permissions(List.of()), ""),
                            new DeliveryCase(
                                    "filter and 2 hidden" + of, message, permissions(List.of("price", "account")), "")),
                    rounds);
        }
    }

    /** A message of nine fields, and as many notes as it takes. */
    private static UnsafeBuffer message(final int length) {
        final StringBuilder text = new StringBuilder("{\"id\":12345,\"desk\":\"EMEA\",\"symbol\":\"IBM\","
                + "\"side\":\"B\",\"qty\":100,\"price\":123.45,\"account\":\"A-7788\"");
        for (int i = 0; text.length() < length - 2; i++) {
            final String name = ",\"note" + i + "\":\"";
            final int room = length - text.length() - name.length() - 2;
            text.append(name)
                    .append("x".repeat(Math.max(0, Math.min(70, room))))
                    .append('"');
        }
        return new UnsafeBuffer(text.append('}').toString().getBytes(UTF_8));
    }

    private static PermissionsConfig permissions(final List<String> hidden) {
        return new PermissionsConfig(
                "",
                List.of(new Role(
                        "trader",
                        List.of(
                                PermissionRule.allow(List.of("publish"), List.of("orders"), ""),
                                PermissionRule.allow(List.of("read"), List.of("orders"), FILTER)
                                        .hiding(hidden),
                                PermissionRule.allow(List.of("create"), List.of("*"), "")))));
    }
}
