package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import java.util.List;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/** Deletes records by their keys, or those that a query has found. */
public final class Delete extends OrderedCommand {
    /** Records that are deleted before the sequencer does other work. */
    private static final int DELETE_LIMIT = 512;

    final String topic;
    final @Nullable List<byte[]> keys;

    /** The topic in which the query has found them: another one may have its name by now. */
    private final int topicId;

    /** Rows that a query has found, each with the version that it found. */
    final LongArrayList found;

    /** The filter of the query; a record that has changed since still has to match it. Null for every record. */
    private final @Nullable Filter filter;

    private long deleted;

    /** How far the command has come, when the log had no room for more. */
    int next;

    public Delete(
            final int ioAgent,
            final long sessionId,
            final String topic,
            final @Nullable List<byte[]> keys,
            final int topicId,
            final LongArrayList found,
            final @Nullable Filter filter) {
        super(ioAgent, sessionId);
        this.topic = topic;
        this.topicId = topicId;
        this.keys = keys;
        this.found = found;
        this.filter = filter;
    }

    /** How many were deleted so far. */
    public long deleted() {
        return deleted;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        final int count = keys == null ? found.size() / 2 : keys.size();
        for (int i = 0; next < count && i < DELETE_LIMIT; i++) {
            final int done = keys == null
                    ? shard.delete(topicId, (int) found.getLong(2 * next), found.getLong(2 * next + 1), filter)
                    : shard.delete(topic, keys.get(next));
            if (done < 0) {
                return false;
            }
            deleted += done;
            next++;
        }
        return next == count;
    }
}
