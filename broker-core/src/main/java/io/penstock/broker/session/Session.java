package io.penstock.broker.session;

import io.penstock.broker.security.Principal;
import io.penstock.broker.shard.log.RefusedSequences;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.NumberTable;
import io.penstock.broker.staging.StagingShare;
import io.penstock.transport.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/**
 * One client: its connection and all that the broker knows of it. Confined to the I/O agent of the connection; opaque
 * to others.
 */
public final class Session {
    private static final int ACCESS_LIMIT_MIN = 64;

    /** How far a client has come. */
    enum State {
        /** Connected; the only command it may give is to log on. */
        CONNECTED,
        /** It has given its name; shards are asked for what they know of it. */
        LOGGING_ON,
        ACTIVE,
        /** A fatal error is on its way; nothing is read any more. */
        CLOSING,
        /** The rest of a message that is half sent is gone; nothing can be sent or read any more. */
        CUT_OFF,
        CLOSED
    }

    final long id;
    final int slot;
    final Connection connection;
    final CloseListener closeListener;
    final Outbox outbox;
    final AckQueue acks;
    final FrameAssembler assembler;

    /** Where its long frames count; null before the first. */
    @Nullable
    StagingShare stagingShare;

    final NumberTable<ClientSubscription> subscriptions = new NumberTable<>();
    final NumberTable<SubscriptionFeed> feeds = new NumberTable<>();
    final InFlight inFlight = new InFlight();

    /** Descriptors from each shard's sequencer; present for shards it has subscribed to. */
    final @Nullable DescriptorRing[] liveRings;

    /** Number of each shard's publisher: 0 not asked yet, or to be asked anew; negative refused. */
    final int[] publisherIds;

    /** The highest of its publisher that it has submitted, or that was applied when it logged on; 0 for none. */
    long publisherSequence;

    /** Messages that were refused because the journal is full. */
    final RefusedSequences overDisk;

    /** Messages that were refused because there may be no more names of publishers. */
    final RefusedSequences overQuota;

    /** For each port, what was submitted by this session last. */
    final long[] lastSubmissions;

    /** By shard and topic. */
    private final Long2ObjectHashMap<TopicAccess> accesses = new Long2ObjectHashMap<>();

    /** At so many those of topics that were deleted are forgotten. */
    private int accessLimit = ACCESS_LIMIT_MIN;

    /** What was asked for last: deliveries of a topic come in a row. */
    private @Nullable TopicAccess foundAccess;

    private long foundKey = -1;

    /** Descriptors from the replayer. */
    @Nullable
    DescriptorRing replayRing;

    /** Descriptors from the reader of files. */
    @Nullable
    DescriptorRing filesRing;

    /** Pages whose records the connection has taken and not completed: number and position, in turn. */
    final LongArrayList sentPages = new LongArrayList();

    /** Up to where the connection has taken runs of pages. */
    long takenPosition;

    /** Feeds whose pages were needed by others: they go on once the connection has sent what it has. */
    final ArrayDeque<SubscriptionFeed> recalled = new ArrayDeque<>();

    State state = State.CONNECTED;

    /** Of the protocol, in its logon. */
    int protocolVersion = 1;

    Principal principal = Principal.ANONYMOUS;
    String user = "";
    String name = "";
    long heartbeatIntervalNs;
    long connectedNs;
    long lastReceivedNs;
    long lastSentNs;
    long closingNs;
    boolean scheduled;
    boolean loggedOn;

    /** Bytes of the record at the head of a ring that were sent already, when it is longer than one unit. */
    int partSent;

    /** The ring that record is in. */
    @Nullable
    DescriptorRing partRing;

    /** The feed of a subscription that record is for, which may have ended since. */
    @Nullable
    SubscriptionFeed partOf;

    @Nullable
    TopicAccess lastAccess;

    @Nullable
    PendingCommand pending;

    /** Deletes one record by its key after the other; null before the first. */
    KeyDeletes.@Nullable Slot keyDelete;

    @Nullable
    Entries entries;

    final List<ClientQuery> queries = new ArrayList<>();

    /** Queries whose state, as it was, is still being made. */
    final List<HistoryQuery> histories = new ArrayList<>();

    /** The query whose page is half sent; between its parts nothing else may be offered. */
    @Nullable
    ClientQuery partQuery;

    /** Feeds that others have taken the place of, until all that is theirs is sent; in the order in which they began. */
    final List<SubscriptionFeed> superseded = new ArrayList<>();

    /** Messages that a sequencer has refused and the client has not been notified of yet. */
    final RefusalQueue refusals = new RefusalQueue();

    /** Subscriptions that the broker has ended and the client has not been notified of yet. */
    final ArrayDeque<ClientSubscription> ended = new ArrayDeque<>();

    /** Sinks that it delivers to; null before the first. */
    @Nullable
    SessionSinks sinks;

    /** Topics that it has created. */
    int createdTopicCount;

    /** A topic that could not be created: the command that asked for it is still to be answered. */
    boolean topicRefused;

    Session(
            final long id,
            final int slot,
            final Connection connection,
            final CloseListener closeListener,
            final int shardCount,
            final int pendingAckCountMax,
            final FrameAssembler assembler) {
        this.id = id;
        this.slot = slot;
        this.connection = connection;
        this.closeListener = closeListener;
        this.assembler = assembler;
        outbox = new Outbox(connection);
        acks = new AckQueue(pendingAckCountMax);
        liveRings = new DescriptorRing[shardCount];
        publisherIds = new int[shardCount];
        overDisk = new RefusedSequences(shardCount);
        overQuota = new RefusedSequences(shardCount);
        lastSubmissions = new long[shardCount];
    }

    @Nullable
    TopicAccess access(final int shard, final int topicId) {
        final long key = key(shard, topicId);
        if (key != foundKey) {
            final TopicAccess found = accesses.get(key);
            if (found == null) {
                return null;
            }
            foundAccess = found;
            foundKey = key;
        }
        return foundAccess;
    }

    void access(final TopicAccess access) {
        // The rest of a message that is half sent needs its topic.
        if (accesses.size() >= accessLimit && partSent == 0) {
            accesses.values().removeIf(each -> !each.isThere());
            foundAccess = null;
            foundKey = -1;
            accessLimit = Math.max(ACCESS_LIMIT_MIN, 2 * accesses.size());
        }
        accesses.put(key(access.topic.shard(), access.topic.id()), access);
    }

    private static long key(final int shard, final int topicId) {
        return ((long) shard << Integer.SIZE) | topicId;
    }

    /** Whether some queries are not answered yet. */
    boolean isQuerying() {
        return !queries.isEmpty() || !histories.isEmpty();
    }

    boolean isOpen() {
        return state.compareTo(State.CLOSING) < 0;
    }

    /** Is notified that a session ended and its connection is closed. */
    @FunctionalInterface
    public interface CloseListener {
        void onClosed(Connection connection);
    }

    @Override
    public String toString() {
        return "Session[id=" + id + ", name=" + name + ", peer=" + connection.peer() + ", state=" + state + "]";
    }
}
