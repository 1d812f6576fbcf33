package io.penstock.client;

import io.penstock.protocol.ErrorCode;
import io.penstock.protocol.RecordDescriptor;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Notified of what a session receives. Called from {@link ClientSession#poll()} on the session's thread; must neither
 * block nor throw, and must not close or connect the session.
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
     * A record for a query, or for a subscription to a topic with state, that is more than a message as it was
     * published: those come to {@link #onMessage}. Unless it is implemented, whole records of subscriptions come there
     * too, and everything else is left out.
     *
     * @param kind           what the record is to the subscription or query.
     * @param subscriptionId as given with the subscribe or the query.
     * @param topic          its name, the same string for all messages of a topic.
     * @param shard          that keeps the topic.
     * @param sequence       of the record's change in its shard; 0 for a row that was computed.
     * @param timestampNs    when the broker took it, in nanoseconds since 1970.
     * @param buffer         holding the message within its record, valid until this method returns. The record begins {@link
     *                       RecordDescriptor#HEADER_LENGTH} bytes before the message; it has the headers and the key.
     * @param offset         of the message's first byte.
     * @param length         of the message, in bytes.
     * @param keyLength      of the key at {@link RecordDescriptor#keyOffset}, in bytes; 0 where fields are the key.
     * @return true when taken. False when there is no room: the session stops reading, and offers the same record
     *     again on later polls.
     */
    default boolean onRecord(
            final RecordKind kind,
            final long subscriptionId,
            final String topic,
            final int shard,
            final long sequence,
            final long timestampNs,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final int keyLength) {
        return kind != RecordKind.MESSAGE
                || onMessage(subscriptionId, topic, shard, sequence, timestampNs, buffer, offset, length);
    }

    /**
     * The broker describes a topic, before the first message of it on this connection.
     *
     * @param topic  its name.
     * @param format of its messages.
     * @param key    as it was declared; of a view {@code =} and the columns that are its key; empty without state, and
     *               when the broker does not send it.
     */
    default void onTopicDescribed(final String topic, final String format, final String key) {}

    /**
     * All records of a frame were taken.
     *
     * @param subscriptionId they are of, or of a query.
     * @param length         that they take in the log, in bytes: what they cost of a subscription's credit.
     */
    default void onDelivered(final long subscriptionId, final int length) {}

    /**
     * A subscription from a place of the log on begins; called for each of its shards, before its acknowledgements and
     * its messages. Together with the bookmarks of its messages this shows at any time where it would go on.
     *
     * @param commandId      of the command.
     * @param subscriptionId of the subscription.
     * @param shard          that it reads.
     * @param sequence       of the shard: it begins after it.
     * @param endSequence    of the last record in the shard that it is about; -1 when it has no end.
     */
    default void onReplayBegin(
            final long commandId,
            final long subscriptionId,
            final int shard,
            final long sequence,
            final long endSequence) {}

    /**
     * A query, or the first state of a subscription, starts; again when a subscription lags too far and its state is
     * sent again.
     *
     * @param commandId of the command; 0 when the state is sent again.
     * @param queryId   of the query or subscription.
     * @param topic     that is looked at.
     * @param shard     that keeps it.
     * @param sequence  of the shard: all changes up to it are in the answer.
     */
    default void onGroupBegin(
            final long commandId, final long queryId, final String topic, final int shard, final long sequence) {}

    /**
     * All records of a query have come.
     *
     * @param commandId    of the command; 0 when the state was sent anew.
     * @param queryId      of the query or subscription.
     * @param topicMatches records looked at.
     * @param matches      records that matched.
     * @param returned     records delivered.
     */
    default void onGroupEnd(
            final long commandId,
            final long queryId,
            final long topicMatches,
            final long matches,
            final long returned) {}

    /**
     * A query that asked for it says how far it is.
     *
     * @param commandId of the command.
     * @param queryId   of the query.
     * @param progress  so far.
     */
    default void onProgress(final long commandId, final long queryId, final SowProgress progress) {}

    /**
     * A part of the text that says how a query was answered that asked for it; all parts come before {@link #onGroupEnd}.
     *
     * @param commandId of the command.
     * @param queryId   of the query.
     * @param text      that follows the part before.
     */
    default void onExplanation(final long commandId, final long queryId, final String text) {}

    /**
     * Says where the newest publish is in the log that the next acknowledgement covers. Called before each. Does nothing
     * unless overridden.
     *
     * @param shard    of the message.
     * @param sequence of the message in its shard; 0 when there is none, or it is not known.
     */
    default void onApplied(final int shard, final long sequence) {}

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
     * An acknowledgement of publishes that the broker has dropped, since it had applied their sequences before. Called in
     * the place of {@link #onAck}, which it calls unless it is overridden, and covers what that would.
     *
     * @param type              how far they have come.
     * @param commandId         of the newest publish that is covered.
     * @param publisherSequence of that publish.
     */
    default void onDuplicates(final AckType type, final long commandId, final long publisherSequence) {
        onAck(type, commandId, publisherSequence, 0);
    }

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
    default void onStat(final long commandId, final Stat stat) {}

    /**
     * A topic, in answer to a topics command.
     *
     * @param commandId of the command.
     * @param topic     as the broker has it.
     */
    default void onTopic(final long commandId, final TopicInfo topic) {}

    /**
     * Blocks may be offered to a sink.
     *
     * @param writerId       as given when it was opened.
     * @param blockId        highest that is stored of this producer; 0 for none.
     * @param blockLengthMax longest block in bytes.
     * @param pulls          whether the broker pulls blocks from the memory that was given.
     */
    default void onSinkOpened(final int writerId, final long blockId, final int blockLengthMax, final boolean pulls) {}

    /**
     * The broker has room for a block, which is to be sent.
     *
     * @param writerId of the sink.
     * @param blockId  of the block.
     */
    default void onBlockGranted(final int writerId, final long blockId) {}

    /**
     * A block is in the sink.
     *
     * @param commandId of its offer.
     * @param writerId  of the sink.
     * @param number    of the block in the sink; 0 when it was stored before.
     * @param offset    of its first byte in the file; -1 when it was stored before.
     */
    default void onBlockStored(final long commandId, final int writerId, final long number, final long offset) {}

    /**
     * The connection is lost, or the logon failed. The session may be connected again once this poll has returned.
     *
     * @param reason    endpoint, reason and remedy.
     * @param errorCode of the broker's last word; null when it gave none.
     */
    void onDisconnect(String reason, @Nullable ErrorCode errorCode);
}
