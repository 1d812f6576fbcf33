package io.penstock.broker.session.client;

import io.penstock.broker.shard.Duplicates;
import io.penstock.broker.shard.ShardPort;
import org.agrona.collections.Int2ObjectHashMap;

/** Which session publishes as which publisher of a shard. Confined to one I/O agent; bounded by its sessions and shards. */
public final class PublisherSessions {
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
    public void onOpened(final Session session, final int shard, final int publisherId) {
        session.publishing().publisherId(shard, publisherId);
        if (publisherId > 0) {
            byPublisher[shard].put(publisherId, session);
        }
    }

    /** A session is closed. */
    public void onClosed(final Session session) {
        for (int shard = 0; shard < byPublisher.length; shard++) {
            final int publisherId = session.publishing().publisherId(shard);
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
                    session.commands().acks().onDuplicates(shard, run.firstSubmission(), run.lastSubmission());
                }
            }
        }
        return count;
    }
}
