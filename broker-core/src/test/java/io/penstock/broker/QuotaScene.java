package io.penstock.broker;

import static io.penstock.broker.RawClient.ACK_PROCESSED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.security.IdentityQuotas;
import io.penstock.broker.security.Permissions;
import io.penstock.broker.security.Role;
import io.penstock.transport.TransportContext;
import java.util.List;

/** Brokers with quotas of identities, and clients of users, for tests. */
final class QuotaScene {
    static final Permissions EVERYTHING =
            Permissions.of(List.of(new Role(Role.EVERYONE, List.of(GuardedBroker.allow("all", "*", "")))));

    private QuotaScene() {}

    static byte[] json(final int length) {
        return ("{\"k\":1,\"t\":\"" + "x".repeat(length) + "\"}").getBytes(UTF_8);
    }

    /** A frame that publishes a message, longer than a fragment. */
    static byte[] frame(final TestBroker test, final int length) {
        final RawClient client = logOn(test, "", "zoe");
        client.publish(9, 0, ACK_PROCESSED, "t", json(length));
        test.awaitAck(client, 9);
        return client.lastFrame();
    }

    static int start(final RawClient client, final byte[] frame) {
        assertThat(sendPart(client, frame, 0)).isTrue();
        return TransportContext.FRAGMENT_LENGTH_MIN;
    }

    static boolean sendPart(final RawClient client, final byte[] frame, final int from) {
        final int length = Math.min(TransportContext.FRAGMENT_LENGTH_MIN, frame.length - from);
        final byte[] part = new byte[length];
        System.arraycopy(frame, from, part, 0, length);
        return client.sendPart(part, frame.length - from - length);
    }

    static TestBroker start(final ThreadingMode threading, final IdentityQuotas quotas) {
        return new TestBroker(builder -> builder.threading(threading)
                .security(security())
                .quotas(QuotaConfig.defaults().withPerIdentity(quotas)));
    }

    static SecurityConfig security() {
        return new SecurityConfig(GuardedBroker.BY_NAME, EVERYTHING, false);
    }

    static RawClient connect(final TestBroker test, final String name, final String user) {
        final RawClient client = test.connect();
        client.logon(name, user, 0);
        return client;
    }

    static RawClient logOn(final TestBroker test, final String name, final String user) {
        final RawClient client = connect(test, name, user);
        test.await(() -> client.events.contains("logonAck"));
        return client;
    }

    static IdentityQuotas quotas(final String bound, final long value) {
        return quotas(bound, value, 0);
    }

    static IdentityQuotas quotas(final String bound, final long value, final long others) {
        return new IdentityQuotas(
                bound.equals("connectionCountMax") ? value : others,
                bound.equals("subscriptionCountMax") ? value : others,
                bound.equals("filterLengthMax") ? value : others,
                bound.equals("messagesPerSecondMax") ? value : others,
                bound.equals("bytesPerSecondMax") ? value : others,
                bound.equals("stagingLengthMax") ? value : others,
                bound.equals("queryCountMax") ? value : others,
                bound.equals("queryMsPerMinuteMax") ? value : others);
    }
}
