package io.penstock.broker.session;

import io.penstock.broker.shard.Duplicates;
import io.penstock.broker.shard.ShardPort;
import org.agrona.collections.Int2ObjectHashMap;

/** Which session publishes as which publisher of a shard. Confined to one I/O agent; bounded by its sessions and shards. */
final class PublisherSessions {
    private final ShardPort[] ports;
    private final Int2ObjectHashMap<Session>[] byPublisher;

    @SuppressWarnings({"unchecked", "rawtypes"})
    PublisherSessions(final ShardPort[] ports) {
        this.ports = ports;
        byPublisher = new Int2ObjectHashMap[ports.length];
        for (int i = 0; i < ports.length; i++) {
            byPublisher[i] = new Int2ObjectHashMap<>();
        }
    }

    /** A session has got its number, or was refused one. */
    void onOpened(final Session session, final int shard, final int publisherId) {
        session.publisherIds[shard] = publisherId;
        if (publisherId > 0) {
            byPublisher[shard].put(publisherId, session);
        }
    }

    void onClosed(final Session session) {
        for (int shard = 0; shard < byPublisher.length; shard++) {
            final int publisherId = session.publisherIds[shard];
            if (publisherId > 0 && byPublisher[shard].get(publisherId) == session) {
                byPublisher[shard].remove(publisherId);
            }
        }
    }

    /** Notes which messages were dropped. After the look at what is processed, and before acknowledgements are sent. */
    int readDuplicates() {
        int count = 0;
        for (int shard = 0; shard < ports.length; shard++) {
            final Duplicates duplicates = ports[shard].duplicates();
            Duplicates.Run run;
            while ((run = duplicates.poll()) != null) {
                count++;
                final Session session = byPublisher[shard].get(run.publisherId());
                if (session != null) {
                    session.acks.onDuplicates(shard, run.firstSubmission(), run.lastSubmission());
                }
            }
        }
        return count;
    }
}
