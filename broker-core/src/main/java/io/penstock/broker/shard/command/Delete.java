package io.penstock.broker.shard.command;

import static io.penstock.broker.shard.order.CommandHeader.TEMPLATE_DELETE;

import io.penstock.broker.filter.Filter;
import io.penstock.broker.shard.order.BadCommandException;
import io.penstock.broker.shard.order.CommandHeader;
import io.penstock.broker.shard.order.CommandOrigin;
import io.penstock.broker.shard.order.CommandReader;
import io.penstock.broker.shard.order.CommandWriter;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.broker.topic.Topic;
import io.penstock.format.KeyReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Deletes records by their keys, or those that a query has found. */
public final class Delete extends OrderedCommand {
    /** Records that are deleted before the sequencer does other work. */
    private static final int DELETE_LIMIT = 512;

    /** The last part of one that was written as several commands. */
    private static final int FLAG_LAST = 1;

    private static final int FLAG_FOUND = 2;

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

    private boolean isLast;

    /** How much of it was written as commands: of the keys, or where in what was found. The I/O agent's. */
    private int encoded;

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

    private Delete(
            final String topic,
            final int topicId,
            final FoundVersions found,
            final String filterText,
            final @Nullable Filter filter) {
        super(0, 0);
        this.topic = topic;
        this.topicId = topicId;
        this.found = found;
        this.filterText = filterText;
        this.filter = filter;
        keys = null;
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
    public boolean encode(final CommandWriter to, final CommandOrigin origin, final long number) {
        to.begin(TEMPLATE_DELETE, origin, number);
        to.putShort(0).putText(topic);
        final boolean isWhole = keys == null ? found == null || encodeFound(to, found) : encodeKeys(to, keys);
        to.firstShort((isWhole ? FLAG_LAST : 0) | (keys == null ? FLAG_FOUND : 0));
        return isWhole;
    }

    private boolean encodeKeys(final CommandWriter to, final List<byte[]> of) {
        int count = 0;
        while (encoded < of.size() && mayAdd(to, count, of.get(encoded).length)) {
            to.putBytes(of.get(encoded));
            encoded++;
            count++;
        }
        to.count(count);
        return encoded == of.size();
    }

    private boolean encodeFound(final CommandWriter to, final FoundVersions of) {
        to.putInt(topicId).putText(filterText);
        int count = 0;
        while (encoded < of.length() && mayAdd(to, count, of.keyLength(encoded))) {
            to.putLong(of.sequence(encoded)).putBytes(of.buffer(), of.keyOffset(encoded), of.keyLength(encoded));
            encoded = of.next(encoded);
            count++;
        }
        to.count(count);
        return encoded == of.length();
    }

    /** Whether a part takes another key: it stays within the usual length of a command, but for a filter that is longer. */
    private static boolean mayAdd(final CommandWriter to, final int count, final int keyLength) {
        return count < DELETE_LIMIT
                && (count == 0 || to.length() + Long.BYTES + Integer.BYTES + keyLength <= CommandHeader.BATCH_LENGTH);
    }

    static Delete decode(final CommandReader from, final int count, final Function<String, Filter> filters) {
        final int flags = from.readShort();
        final String topic = from.readText(Topic.NAME_LENGTH_MAX);
        if ((flags & ~(FLAG_LAST | FLAG_FOUND)) != 0 || count < 0 || count > DELETE_LIMIT) {
            throw new BadCommandException("a delete of " + count + " keys");
        }
        final Delete part =
                (flags & FLAG_FOUND) == 0 ? decodeKeys(from, topic, count) : decodeFound(from, topic, count, filters);
        part.isLast = (flags & FLAG_LAST) != 0;
        return part;
    }

    private static Delete decodeKeys(final CommandReader from, final String topic, final int count) {
        final List<byte[]> keys = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            keys.add(from.readBytes(KeyReader.KEY_LENGTH_MAX));
        }
        return new Delete(0, 0, topic, keys);
    }

    private static Delete decodeFound(
            final CommandReader from, final String topic, final int count, final Function<String, Filter> filters) {
        final int topicId = from.readInt();
        final String filterText = from.readText(CommandHeader.COMMAND_LENGTH_MAX);
        final FoundVersions found = new FoundVersions();
        for (int i = 0; i < count; i++) {
            final long sequence = from.readLong();
            final byte[] key = from.readBytes(KeyReader.KEY_LENGTH_MAX);
            found.add(sequence, new UnsafeBuffer(key), 0, key.length);
        }
        return new Delete(topic, topicId, found, filterText, filterText.isEmpty() ? null : filters.apply(filterText));
    }

    @Override
    public boolean onApplied(final OrderedCommand part) {
        final Delete applied = (Delete) part;
        deleted += applied.deleted;
        return applied.isLast;
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
