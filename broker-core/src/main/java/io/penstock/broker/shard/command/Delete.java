package io.penstock.broker.shard.command;

import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_DELETE;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.order.BadCommandException;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandReader;
import io.penstock.broker.shard.order.CommandWriter;
import io.penstock.broker.shard.order.Origin;
import io.penstock.broker.topic.Topic;
import io.penstock.format.KeyReader;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.LongArrayList;
import org.jspecify.annotations.Nullable;

/** Deletes records by their keys, or those that a query has found. */
public final class Delete extends OrderedCommand {
    /** Records that are deleted before the sequencer does other work. */
    private static final int DELETE_LIMIT = 512;

    private static final int FLAG_LAST = 1;

    final String topic;
    final @Nullable List<byte[]> keys;

    /** The topic in which the query has found them: another one may have its name by now. */
    private final int topicId;

    /** Rows that a query has found, each with the version that it found. */
    final LongArrayList found;

    /** The filter of the query; a record that has changed since still has to match it. Null for every record. */
    private final @Nullable Filter filter;

    private long deleted;

    /** Whether it is the last part of one that was written as several commands. */
    private boolean isLast;

    /** How many of the keys were written as commands. The I/O agent's. */
    private int encoded;

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

    /**
     * Writes at most so many keys that a part is a command of usual length.
     */
    @Override
    public boolean encode(final CommandWriter to, final Origin origin, final long number) {
        if (keys == null) {
            throw new IllegalStateException("a delete of found records cannot be a command of several nodes");
        }
        to.begin(TEMPLATE_DELETE, origin, number);
        to.putShort(0).putText(topic);
        int count = 0;
        while (encoded < keys.size()
                && count < DELETE_LIMIT
                && (count == 0
                        || to.length() + keys.get(encoded).length + Integer.BYTES <= CommandHeader.BATCH_LENGTH)) {
            to.putBytes(keys.get(encoded));
            encoded++;
            count++;
        }
        to.count(count);
        final boolean isWhole = encoded == keys.size();
        if (isWhole) {
            to.firstShort(FLAG_LAST);
        }
        return isWhole;
    }

    static Delete decode(final CommandReader from, final int count) {
        final int flags = from.readShort();
        final String topic = from.readText(Topic.NAME_LENGTH_MAX);
        if ((flags & ~FLAG_LAST) != 0 || count < 0 || count > DELETE_LIMIT) {
            throw new BadCommandException("a delete of " + count + " keys");
        }
        final List<byte[]> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(from.readBytes(KeyReader.KEY_LENGTH_MAX));
        }
        final Delete part = new Delete(0, 0, topic, keys, -1, new LongArrayList(), null);
        part.isLast = flags == FLAG_LAST;
        return part;
    }

    @Override
    public boolean onApplied(final OrderedCommand part) {
        final Delete applied = (Delete) part;
        deleted += applied.deleted;
        return applied.isLast;
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
