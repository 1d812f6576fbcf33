package io.penstock.broker.shard.command;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.broker.topic.Topic;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes records by their keys, or those that a query has found. */
public final class Delete extends OrderedCommand {
    /** Records that are deleted before the sequencer does other work. */
    private static final int DELETE_LIMIT = 512;

    final String topic;
    final @Nullable List<byte[]> keys;

    /** The topic in which the query has found them: another one may have its name by now. */
    final int topicId;

    /** Versions that a query has found; null when keys are given. */
    final @Nullable FoundVersions found;

    /** The filter of the query, in canonical form; empty for every record. */
    final String filterText;

    /** The same; a record that has changed since still has to match it. Null for every record. */
    private final @Nullable Filter filter;

    private long deleted;

    /** How far the command has come, when the log had no room for more: of the keys, or where in what was found. */
    int next;

    /** Deletes the records of keys. */
    public Delete(final int ioAgent, final long sessionId, final String topic, final List<byte[]> keys) {
        super(ioAgent, sessionId);
        this.topic = topic;
        this.keys = keys;
        topicId = -1;
        found = null;
        filterText = "";
        filter = null;
    }

    /**
     * Deletes the records that a query has found, but those that have changed and do not match its filter any more.
     *
     * @param topic      of the records.
     * @param found      versions of them.
     * @param filterText that they match, in canonical form; empty for every record.
     * @param filter     the same; null for every record.
     */
    public Delete(
            final int ioAgent,
            final long sessionId,
            final Topic topic,
            final FoundVersions found,
            final String filterText,
            final @Nullable Filter filter) {
        super(ioAgent, sessionId);
        this.topic = topic.name();
        this.topicId = topic.id();
        this.found = found;
        this.filterText = filterText;
        this.filter = filter;
        keys = null;
    }

    /** How many were deleted so far. */
    public long deleted() {
        return deleted;
    }

    @Override
    public boolean execute(final ShardOperations shard) {
        return keys == null ? found == null || deleteFound(shard, found) : deleteKeys(shard, keys);
    }

    private boolean deleteKeys(final ShardOperations shard, final List<byte[]> of) {
        for (int i = 0; next < of.size() && i < DELETE_LIMIT; i++) {
            final int done = shard.delete(topic, of.get(next));
            if (done < 0) {
                return false;
            }
            deleted += done;
            next++;
        }
        return next == of.size();
    }

    private boolean deleteFound(final ShardOperations shard, final FoundVersions of) {
        for (int i = 0; next < of.length() && i < DELETE_LIMIT; i++) {
            final int done = shard.delete(
                    topicId, of.buffer(), of.keyOffset(next), of.keyLength(next), of.sequence(next), filter);
            if (done < 0) {
                return false;
            }
            deleted += done;
            next = of.next(next);
        }
        return next == of.length();
    }
}
