package io.penstock.broker.monitor;

import io.penstock.format.FieldPath;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a running broker can be asked, and told to do, by those who watch and administer it. Safe on any thread. Nothing
 * here asks for permission: that is up to the caller.
 *
 * <p>I/O agents answer between their other work. A future is completed by such an agent; whatever follows on it must run
 * on another thread, and a caller that waits for it gives up after a while, since a broker that was closed answers
 * nothing. It fails with an {@link IllegalStateException} when the agent has too many notices already.
 */
public interface Monitor {
    /** Items of one part at most. */
    int PART_LIMIT_MAX = 1000;

    /**
     * Lists clients.
     *
     * @param from  where the part begins.
     * @param limit of its items, 1 to {@link #PART_LIMIT_MAX}; a part may have fewer and not be the last.
     * @return the part.
     */
    CompletableFuture<Part<ClientInfo>> clients(Place from, int limit);

    /**
     * Lists subscriptions.
     *
     * @param from  where the part begins.
     * @param limit of its items, 1 to {@link #PART_LIMIT_MAX}; a part may have fewer and not be the last.
     * @return the part.
     */
    CompletableFuture<Part<SubscriptionInfo>> subscriptions(Place from, int limit);

    /**
     * Lists queries.
     *
     * @param from  where the part begins.
     * @param limit of its items, 1 to {@link #PART_LIMIT_MAX}; a part may have fewer and not be the last.
     * @return the part.
     */
    CompletableFuture<Part<QueryInfo>> queries(Place from, int limit);

    /**
     * Lists transports.
     *
     * @param ioAgent index of their I/O agent, below {@link #ioAgentCount()}.
     * @return those of that agent.
     */
    CompletableFuture<List<TransportInfo>> transports(int ioAgent);

    /**
     * Ends the session of a client, which is told that an administrator did.
     *
     * @param clientId session of it.
     * @param by       who wants it.
     * @return false when there is no such client.
     */
    CompletableFuture<Boolean> kick(long clientId, Administrator by);

    /**
     * Traces a client: what it sends from now on can be read, until the reader closes the trace or the client goes. Fails
     * when somebody traces it already.
     *
     * @param clientId session of it.
     * @param trace    a new one, that takes its commands.
     * @param by       who wants it.
     * @return false when there is no such client.
     */
    CompletableFuture<Boolean> trace(long clientId, ClientTrace trace, Administrator by);

    /**
     * Cancels a query; its client is told that an administrator did.
     *
     * @param clientId  session of its client.
     * @param commandId of the command that asked for it.
     * @param by        who wants it.
     * @return false when there is no such query.
     */
    CompletableFuture<Boolean> cancel(long clientId, long commandId, Administrator by);

    /**
     * Lets a transport take new connections, or no more. Present connections go on.
     *
     * @param ioAgent that owns it.
     * @param scheme  of it.
     * @param enabled whether it takes new connections.
     * @param by      who wants it.
     * @return false when there is no such transport.
     */
    CompletableFuture<Boolean> enable(int ioAgent, String scheme, boolean enabled, Administrator by);

    /**
     * Reports to the log that an administrator's request was refused.
     *
     * @param by   who asked.
     * @param what why it was refused.
     */
    void onRefused(Administrator by, String what);

    /**
     * Reports to the log and the audit that an administrator asked for what it may not do.
     *
     * @param by   who asked.
     * @param what why it was refused.
     */
    void onForbidden(Administrator by, String what);

    /**
     * Reports to the log and the audit that an administrator's command was done.
     *
     * @param by   who gave it.
     * @param what was done.
     */
    void onDone(Administrator by, String what);

    /**
     * Reports an error of those who watch the broker, as if it were the broker's own.
     *
     * @param error that was thrown.
     */
    void onError(Throwable error);

    /**
     * How many I/O agents there are.
     *
     * @return count, at least 1.
     */
    int ioAgentCount();

    /**
     * All topics there are now.
     *
     * @return topics by shard and id.
     */
    List<TopicDetails> topics();

    /**
     * The columns that there are now.
     *
     * @param topic name of a topic; empty for those of all topics.
     * @return by shard, topic and field.
     */
    List<ColumnInfo> columns(String topic);

    /**
     * Drops columns. Queries that use one go on, and others make it again. One that the configuration names is not made
     * ahead again before the configuration is read again.
     *
     * @param topic name of the topic.
     * @param field whose column goes; null for those of all fields.
     * @param by    who wants it.
     * @return count of columns, 0 when there are none.
     */
    int dropColumns(String topic, @Nullable FieldPath field, Administrator by);

    /**
     * The log of each shard.
     *
     * @return by number of the shard.
     */
    List<ShardInfo> shards();
}
