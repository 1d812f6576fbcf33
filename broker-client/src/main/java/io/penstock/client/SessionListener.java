package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Told what a session receives. Called from {@link ClientSession#poll()} on the session's thread; must neither block
 * nor throw, and must not close or connect the session.
 */
public interface SessionListener {
    /** The broker has accepted the logon; commands may be offered. */
    void onLogon();

    /**
     * A message of a subscription.
     *
     * @param subscriptionId as given with the subscribe.
     * @param topic          its name, the same string for all messages of a topic.
     * @param shard          that keeps the topic.
     * @param sequence       of the message in its shard.
     * @param timestampNs    when the broker took it, in nanoseconds since 1970.
     * @param buffer         holding the payload, valid until this method returns.
     * @param offset         of its first byte.
     * @param length         in bytes.
     * @return true when taken. False when there is no room: the session stops reading, and offers the same message
     *     again on later polls.
     */
    boolean onMessage(
            long subscriptionId,
            String topic,
            int shard,
            long sequence,
            long timestampNs,
            DirectBuffer buffer,
            int offset,
            int length);

    /**
     * An acknowledgement. That of a publish covers all publishes of this connection up to it that asked for its type,
     * but those for which an error came before.
     *
     * @param type              how far the command has come.
     * @param commandId         of the command, or of the newest publish that is covered.
     * @param publisherSequence of that publish, 0 when it had none and for other commands.
     * @param returned          records or entries that were returned.
     */
    void onAck(AckType type, long commandId, long publisherSequence, long returned);

    /**
     * A command failed, a subscription has ended, or the session will.
     *
     * @param error as the broker sent it.
     */
    void onError(BrokerError error);

    /**
     * A counter, in answer to a stat command.
     *
     * @param commandId of the command.
     * @param stat      name and value.
     */
    void onStat(long commandId, Stat stat);

    /**
     * A topic, in answer to a topics command.
     *
     * @param commandId of the command.
     * @param topic     as the broker has it.
     */
    void onTopic(long commandId, TopicInfo topic);

    /**
     * The connection is gone, or the logon failed. The session may be connected again once this poll has returned.
     *
     * @param reason    endpoint, reason and remedy.
     * @param errorCode of the broker's last word; null when it gave none.
     */
    void onDisconnect(String reason, @Nullable ErrorCode errorCode);
}
