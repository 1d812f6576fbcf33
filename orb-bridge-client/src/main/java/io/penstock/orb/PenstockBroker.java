package io.penstock.orb;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * A session with the broker. The object that a registry gives under {@link #NAME} is the guest session, which all clients
 * share that do not log on. Any thread may call it; each call ends within the bridge's deadline.
 *
 * <p>Topics, filters and bookmarks mean what they mean to native clients. A subscription or a query is known by a number
 * that cannot be guessed; it ends when nothing is heard of its client for the lease that was agreed.
 */
public interface PenstockBroker extends Remote {
    /** Under which a registry has the guest session. */
    String NAME = "penstock/Broker";

    /**
     * Begins a session of one's own. It ends with {@link #logoff()}, or when the client has ended.
     *
     * @param who name, user and password, as a native client gives them.
     * @return the session.
     * @throws BrokerException {@code AUTHENTICATION_FAILED}, or {@code LIMIT_REACHED} when there are too many sessions.
     */
    PenstockBroker logon(Credentials who) throws RemoteException, BrokerException;

    /**
     * Ends this session, its subscriptions and its queries.
     *
     * @throws BrokerException {@code NOT_SUPPORTED} for the guest session.
     */
    void logoff() throws RemoteException, BrokerException;

    /**
     * Sends bytes there and back, through the bridge alone.
     *
     * @param data at most as long as a message.
     * @return the same bytes.
     * @throws BrokerException {@code MESSAGE_TOO_LONG}.
     */
    byte[] echo(byte[] data) throws RemoteException, BrokerException;

    /**
     * Publishes a message, and waits for the broker's acknowledgement.
     *
     * @param message     what to publish.
     * @param isPersisted whether to wait until it is on stable storage, not only applied.
     * @throws BrokerException when the broker refuses it.
     */
    void publish(Publication message, boolean isPersisted) throws RemoteException, BrokerException;

    /**
     * Publishes messages in their order, and waits for the acknowledgement of all.
     *
     * @param messages    what to publish.
     * @param isPersisted whether to wait until all are on stable storage, not only applied.
     * @throws BrokerException when the broker refuses one of them: the text says which; the others are applied. When the
     *     broker takes no more, the text says from which one on none was sent. When one is not whole or too long, or there
     *     are too many, none is sent.
     */
    void publishBatch(Publication[] messages, boolean isPersisted) throws RemoteException, BrokerException;

    /**
     * Publishes a message with headers, and waits for the broker's acknowledgement.
     *
     * @param message     what to publish.
     * @param headers     of the message, at most 64 of 16 KiB in all, each name once.
     * @param isPersisted whether to wait until it is on stable storage, not only applied.
     * @throws BrokerException {@code BAD_HEADER} when a header is not one that messages have; when the broker refuses it.
     */
    void publishWithHeaders(Publication message, Header[] headers, boolean isPersisted)
            throws RemoteException, BrokerException;

    /**
     * Publishes messages with headers in their order, and waits for the acknowledgement of all.
     *
     * @param messages    what to publish, each with at most 64 headers of 16 KiB in all, each name once. Headers count as
     *     bytes of the batch.
     * @param isPersisted whether to wait until all are on stable storage, not only applied.
     * @throws BrokerException {@code BAD_HEADER} when a header is not one that messages have: the text says of which
     *     message, and none is sent, also of those before it; else as {@link #publishBatch} does.
     */
    void publishBatchWithHeaders(PublicationWithHeaders[] messages, boolean isPersisted)
            throws RemoteException, BrokerException;

    /**
     * Subscribes, for a client that takes messages with {@link #next} or {@link #nextWithHeaders}.
     *
     * @param request what to, and from where.
     * @return the subscription.
     * @throws BrokerException when the broker refuses it, or there are too many.
     */
    long subscribe(SubscribeRequest request) throws RemoteException, BrokerException;

    /**
     * Subscribes, for a client that is called for messages. The subscription ends when a call fails or takes too long.
     *
     * @param request  what to, and from where.
     * @param callback whom to call.
     * @return the subscription.
     * @throws BrokerException when the broker refuses it, or there are too many.
     */
    long subscribeWithCallback(SubscribeRequest request, Callback callback) throws RemoteException, BrokerException;

    /**
     * Subscribes, for a client that is called for messages with their headers.
     *
     * @param request  what to, and from where.
     * @param callback whom to call, a {@link ListenerWithHeaders}.
     * @return the subscription.
     * @throws BrokerException when the broker refuses it, or there are too many.
     */
    long subscribeWithHeaders(SubscribeRequest request, Callback callback) throws RemoteException, BrokerException;

    /**
     * Takes messages, and waits for the first one.
     *
     * @param subscription without a callback.
     * @param max          most messages; the bridge may give fewer.
     * @param timeoutMs    longest wait in milliseconds; 0 = do not wait. The bridge may wait shorter.
     * @return messages in order; none when none came in time.
     * @throws BrokerException {@code UNKNOWN_SUBSCRIPTION}, or why it has ended, after its last message was taken.
     */
    Delivery[] next(long subscription, int max, int timeoutMs) throws RemoteException, BrokerException;

    /**
     * Takes messages with their headers, and waits for the first one.
     *
     * @param subscription without a callback.
     * @param max          most messages; the bridge may give fewer.
     * @param timeoutMs    longest wait in milliseconds; 0 = do not wait. The bridge may wait shorter.
     * @return messages in order; none when none came in time.
     * @throws BrokerException as {@link #next} does.
     */
    DeliveryWithHeaders[] nextWithHeaders(long subscription, int max, int timeoutMs)
            throws RemoteException, BrokerException;

    /**
     * Says that all messages up to one are processed, so that a named subscription goes on after it when it is made again.
     *
     * @param subscription with a name.
     * @param bookmark     of the message, {@code shard:sequence}; several shards with commas between them.
     * @throws BrokerException {@code NOT_SUPPORTED} when it has no name.
     */
    void acknowledge(long subscription, String bookmark) throws RemoteException, BrokerException;

    /**
     * Forgets how far a name has come, so that it begins anew, and makes room for another. One that is not known is left
     * alone.
     *
     * @param name of subscriptions of the same user, none of them there.
     * @throws BrokerException {@code DUPLICATE_SUBSCRIPTION} when one is there.
     */
    void forget(String name) throws RemoteException, BrokerException;

    /**
     * Ends a subscription. What was not taken is dropped.
     *
     * @param subscription of this session.
     * @throws BrokerException {@code UNKNOWN_SUBSCRIPTION}.
     */
    void unsubscribe(long subscription) throws RemoteException, BrokerException;

    /**
     * Queries the state of a topic.
     *
     * @param request what is asked.
     * @return the query, whose records {@link #fetch} gives.
     * @throws BrokerException when there are too many queries; {@link #fetch} reports refusals of the broker.
     */
    long query(QueryRequest request) throws RemoteException, BrokerException;

    /**
     * Takes records of a query, and waits for the first one.
     *
     * @param query     not complete yet.
     * @param max       most records; the bridge may give fewer.
     * @param timeoutMs longest wait in milliseconds.
     * @return records, and whether these were the last; the query is closed then.
     * @throws BrokerException {@code UNKNOWN_SUBSCRIPTION}, or why the query has failed.
     */
    QueryPage fetch(long query, int max, int timeoutMs) throws RemoteException, BrokerException;

    /**
     * Takes records of a query with their headers, and waits for the first one.
     *
     * @param query     not complete yet.
     * @param max       most records; the bridge may give fewer.
     * @param timeoutMs longest wait in milliseconds.
     * @return records, and whether these were the last; the query is closed then.
     * @throws BrokerException as {@link #fetch} does.
     */
    PageWithHeaders fetchWithHeaders(long query, int max, int timeoutMs) throws RemoteException, BrokerException;

    /**
     * Gives a query up. One that is complete, or not there, is left alone.
     *
     * @param query of this session.
     */
    void closeQuery(long query) throws RemoteException;
}
