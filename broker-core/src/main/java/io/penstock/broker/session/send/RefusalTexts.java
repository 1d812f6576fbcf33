package io.penstock.broker.session.send;

import io.penstock.broker.shard.ShardPort;
import io.penstock.broker.shard.state.StateRefusal;
import io.penstock.broker.topic.Topic;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Texts of refusals for clients, made once in a while for each topic: a publisher that goes on against a full store
 * gets figures that are as old as the text. Bounded. Confined to one I/O agent.
 */
public final class RefusalTexts {
    private static final long INTERVAL_NS = 1_000_000_000;

    /** At so many texts all are worded anew. */
    private static final int COUNT_MAX = 4096;

    private final ShardPort[] ports;
    private final Long2ObjectHashMap<Text> byTopic = new Long2ObjectHashMap<>();

    /**
     * None so far.
     *
     * @param ports to the shards, by number.
     */
    public RefusalTexts(final ShardPort[] ports) {
        this.ports = ports;
    }

    byte[] text(final long topic, final StateRefusal reason, final long used, final long limit, final long nowNs) {
        final long key = topic * StateRefusal.COUNT + reason.id();
        Text text = byTopic.get(key);
        if (text == null || nowNs - text.madeNs > INTERVAL_NS) {
            if (byTopic.size() >= COUNT_MAX) {
                byTopic.clear();
            }
            final Topic of = ports[(int) (topic >>> Integer.SIZE)].topics().find((int) topic);
            final String name = of == null ? "a topic that was deleted" : of.name();
            text = new Text(Answers.text(reason.text(name, used, limit)), nowNs);
            byTopic.put(key, text);
        }
        return text.bytes;
    }

    /** One text, and when it was worded. */
    private static final class Text {
        private final byte[] bytes;
        private final long madeNs;

        Text(final byte[] bytes, final long madeNs) {
            this.bytes = bytes;
            this.madeNs = madeNs;
        }
    }
}
