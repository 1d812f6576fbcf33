package io.penstock.standalone.message;

import io.penstock.client.PenstockClient;
import io.penstock.client.PenstockException;
import io.penstock.client.TopicInfo;
import io.penstock.protocol.ErrorCode;
import io.penstock.standalone.CommandFailure;
import io.penstock.standalone.console.Nearest;
import java.util.List;

/** Names of topics as users give them. */
public final class TopicNames {
    private TopicNames() {}

    /**
     * Refuses a name that no topic has.
     *
     * @param topic as it was given.
     * @throws CommandFailure when it is empty.
     */
    public static void check(final String topic) {
        if (topic.isEmpty()) {
            throw CommandFailure.badInput("topic is empty (name one; penstock topics lists them)");
        }
    }

    /**
     * Says that a topic is not there.
     *
     * @param client to ask for those that there are.
     * @param topic  as it was given.
     * @return the failure, with the nearest names.
     */
    public static CommandFailure missing(final PenstockClient client, final String topic) {
        final List<String> near = Nearest.of(topic, names(client));
        return CommandFailure.failed("topic " + topic + ": there is none ("
                + (near.isEmpty() ? "see penstock topics" : "did you mean " + String.join(" or ", near) + "?") + ")");
    }

    /**
     * Makes a refusal for want of state say so when the topic is not there at all.
     *
     * @param refusal of the broker.
     * @param client  to ask for the topics that there are.
     * @param topic   as it was given.
     * @return what to throw.
     */
    public static RuntimeException explained(
            final PenstockException refusal, final PenstockClient client, final String topic) {
        if (refusal.errorCode() != ErrorCode.NO_STATE) {
            return refusal;
        }
        try {
            return names(client).contains(topic) ? refusal : missing(client, topic);
        } catch (final PenstockException e) {
            return refusal;
        }
    }

    private static List<String> names(final PenstockClient client) {
        return client.topics("").stream().map(TopicInfo::name).toList();
    }
}
