package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.ValueType;
import io.penstock.broker.query.exact.ValueRoom;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Groups of messages, and the row of a select list for each. A query adds messages and reads all groups; a view adds
 * and removes messages and reads the changed groups. Without a group by all messages are one group, which is there from
 * the start.
 *
 * <p>Sums and means are exact up to one rounding, whatever was added and removed, in any order. Confined to one agent.
 * Adding to a group that is there allocates nothing, except for MIN and MAX, whose values are kept unless it is a
 * {@link #scan}, for values that are new to COUNT(DISTINCT), and until the buffers have grown to what the messages take.
 */
public final class Aggregation {
    private final String text;
    private final boolean isRetractable;
    private final int groupCountMax;
    private final AggregatePlan plan;
    private final MessageValues values;
    private final RowWriter rows;
    private final ValueRoom room;
    private final GroupTable groups = new GroupTable();
    private final List<Group> changed = new ArrayList<>();
    private final @Nullable Group whole;
    private @Nullable Group last;
    private int emptyCount;
    private long length;

    /** How many of the changed groups were visited. */
    private int drainedCount;

    /**
     * Makes an aggregation without messages, of which those that are added can be removed again.
     *
     * @param list          with aggregates or a group by.
     * @param format        of the messages, and of the rows written.
     * @param groupCountMax groups with messages in them, and as many again that were emptied since changes were drained.
     * @throws IllegalArgumentException when the list has neither, the format no fields, or the count is not positive.
     */
    public Aggregation(final SelectList list, final MessageFormat format, final int groupCountMax) {
        this(list, format, groupCountMax, true);
    }

    private Aggregation(
            final SelectList list, final MessageFormat format, final int groupCountMax, final boolean isRetractable) {
        if (!list.isAggregate()) {
            throw new IllegalArgumentException(
                    "aggregation: has no aggregates: " + list.text() + " (use a Projection)");
        }
        if (groupCountMax <= 0) {
            throw new IllegalArgumentException("aggregation.groupCountMax: not positive: " + groupCountMax);
        }
        this.text = list.text();
        this.isRetractable = isRetractable;
        this.groupCountMax = groupCountMax;
        this.room = new ValueRoom(list.valuesLengthMax());
        this.plan = new AggregatePlan(list.syntax().aggregates(), isRetractable);
        this.values = new MessageValues(list.syntax(), format);
        this.rows = new RowWriter(list.syntax(), plan, format);
        this.whole = list.syntax().groupCount() == 0 ? newGroup(new GroupKey()) : null;
    }

    /**
     * Makes an aggregation without messages that only grows: MIN and MAX keep the extremes, not all values, so that
     * messages cannot be removed.
     *
     * @param list          with aggregates or a group by.
     * @param format        of the messages, and of the rows written.
     * @param groupCountMax groups there may be.
     * @return the aggregation.
     * @throws IllegalArgumentException when the list has neither, the format no fields, or the count is not positive.
     */
    public static Aggregation scan(final SelectList list, final MessageFormat format, final int groupCountMax) {
        return new Aggregation(list, format, groupCountMax, false);
    }

    private Group newGroup(final GroupKey key) {
        final Group group = new Group(key.copy(), key.hash(), plan.newAccumulators(room));
        groups.add(group);
        length += group.length();
        emptyCount++;
        return group;
    }

    /**
     * Gives the headers of the message that comes next. Without this call it has none.
     *
     * @param buffer holding a block of headers that was checked.
     * @param offset of its first byte.
     * @param length in bytes; 0 for no headers.
     */
    public void headers(final DirectBuffer buffer, final int offset, final int length) {
        values.headers(buffer, offset, length);
    }

    /**
     * Adds a message to its group.
     *
     * @param message holding a valid message.
     * @param offset  of its first byte.
     * @param length  in bytes.
     * @return false when it would make more groups than there may be, or the values of COUNT(DISTINCT)
     *     {@linkplain #isFull() take too much memory} already; then nothing has changed.
     */
    public boolean add(final DirectBuffer message, final int offset, final int length) {
        final Group group = findOrMake(values.key(message, offset, length));
        if (group == null) {
            return false;
        }
        add(group, values.arguments());
        last = group;
        return true;
    }

    /**
     * Whether the different values that are kept for COUNT(DISTINCT) take as much memory as they may, or the last of them
     * a little more.
     *
     * @return true when no message can be added, until some are removed.
     */
    public boolean isFull() {
        return room.isFull();
    }

    /**
     * Why nothing could be added, for people.
     *
     * @return which bound was reached, and what to do.
     */
    public String bound() {
        return isFull()
                ? "the different values that it counts take more than " + room.lengthMax()
                        + " bytes (count those of another field)"
                : "more than " + groupCountMax + " groups (group by fields of fewer values)";
    }

    /** Adds what a reader of {@link #fields} is at; null when that would make too many groups, or it is full. */
    @Nullable
    Group add(final FieldReader row) {
        final Group group = findOrMake(values.key(row));
        if (group != null) {
            add(group, values.arguments(row));
        }
        return group;
    }

    /** Adds what a reader of {@link #fields} is at to its group. */
    void addTo(final Group group, final FieldReader row) {
        add(group, values.arguments(row));
    }

    /** Adds what a reader of {@link #fields} is at to one of the accumulators of a group. */
    void addTo(final Group group, final int part, final FieldReader row) {
        group.accumulator(part).add(values.argument(plan.argument(part), row));
    }

    private void add(final Group group, final Expression[] arguments) {
        for (int i = 0; i < plan.partCount(); i++) {
            add(group.accumulator(i), arguments[plan.argument(i)]);
        }
        grow(group, 1);
    }

    private void add(final Accumulator accumulator, final Expression argument) {
        if (argument.type() != ValueType.TEXT) {
            accumulator.add(argument);
            return;
        }
        final int before = accumulator.length();
        accumulator.add(argument);
        length += accumulator.length() - before;
    }

    /** Bytes of memory that its groups take, about. Of one that is no {@link #scan}, without the values of MIN and MAX. */
    long length() {
        return length + room.length();
    }

    /** The fields of messages that are read. */
    FieldSet fields() {
        return values.fields();
    }

    /** A group, by its place among all. */
    Group group(final int index) {
        return groups.group(index);
    }

    /** Which accumulators groups have. */
    AggregatePlan plan() {
        return plan;
    }

    /**
     * The number that was kept with the group of the message that was added or removed last.
     *
     * @return as of {@link #lastMark(int)}; 0 for a group that is new.
     */
    public int lastMark() {
        final Group group = last;
        return group == null ? 0 : group.mark();
    }

    /**
     * Keeps a number with the group of the message that was added or removed last, until the group is forgotten.
     *
     * @param mark for it.
     */
    public void lastMark(final int mark) {
        final Group group = last;
        if (group != null) {
            group.mark(mark);
        }
    }

    /** Adds so many messages of which nothing is asked: without a group by, and without arguments. */
    void addCount(final long messageCount) {
        if (whole == null || plan.partCount() > 0) {
            throw new IllegalStateException("aggregation: messages do more than count: " + text);
        }
        if (messageCount > 0) {
            grow(whole, messageCount);
        }
    }

    private @Nullable Group findOrMake(final GroupKey key) {
        if (room.isFull()) {
            return null;
        }
        if (whole != null) {
            return whole;
        }
        final int hash = key.hash();
        final Group found = groups.find(key, hash);
        if (found == null || found.isEmpty()) {
            final int liveCount = groups.count() - emptyCount;
            if (liveCount == groupCountMax || (found == null && groups.count() == 2L * groupCountMax)) {
                return null;
            }
        }
        return found == null ? newGroup(key) : found;
    }

    /** Adds messages to a group whose accumulators have got their values. */
    void grow(final Group group, final long messageCount) {
        if (group.isEmpty()) {
            emptyCount--;
        }
        group.messageCount(group.messageCount() + messageCount);
        touch(group);
    }

    private void touch(final Group group) {
        if (!group.isChanged()) {
            group.isChanged(true);
            changed.add(group);
        }
    }

    /**
     * Takes a message away again, exactly.
     *
     * @param message holding the same message as when it was added.
     * @param offset  of its first byte.
     * @param length  in bytes.
     * @throws IllegalStateException         when its group has no such message; the aggregation is of no use then.
     * @throws UnsupportedOperationException when this is a {@link #scan}.
     */
    public void remove(final DirectBuffer message, final int offset, final int length) {
        if (!isRetractable) {
            throw new UnsupportedOperationException("aggregation: a scan keeps nothing to remove (do not use scan)");
        }
        final GroupKey key = values.key(message, offset, length);
        final Group group = whole != null ? whole : groups.find(key, key.hash());
        if (group == null || group.isEmpty()) {
            throw new IllegalStateException("aggregation: removed a message that was not added");
        }
        final Expression[] arguments = values.arguments();
        for (int i = 0; i < plan.partCount(); i++) {
            group.accumulator(i).remove(arguments[plan.argument(i)]);
        }
        group.messageCount(group.messageCount() - 1);
        if (group.isEmpty()) {
            emptyCount++;
        }
        last = group;
        touch(group);
    }

    /**
     * Adds all messages of another aggregation, which stays as it is.
     *
     * @param other of the same list, owned by the caller's agent by now.
     * @return false when there would be more groups than there may be; then nothing has changed. Or when it is
     *     {@linkplain #isFull() full} then: some may have been added, and it is of no use.
     * @throws IllegalArgumentException when the other has another list, or only one of the two is a {@link #scan}.
     */
    public boolean merge(final Aggregation other) {
        if (!text.equals(other.text) || isRetractable != other.isRetractable || this == other) {
            throw new IllegalArgumentException("aggregation: cannot be merged: " + other.text + " (make both alike)");
        }
        if (!groups.hasRoomFor(other.groups, emptyCount, groupCountMax)) {
            return false;
        }
        final GroupKey key = new GroupKey();
        for (int i = 0; i < other.groups.count(); i++) {
            final Group added = other.groups.group(i);
            if (!added.isEmpty()) {
                key.set(added.key());
                final Group found = groups.find(key, added.hash());
                merge(added, found != null ? found : newGroup(key));
            }
        }
        return !room.isFull();
    }

    private void merge(final Group added, final Group target) {
        for (int i = 0; i < plan.partCount(); i++) {
            final Accumulator accumulator = target.accumulator(i);
            final int before = accumulator.length();
            accumulator.merge(added.accumulator(i));
            length += accumulator.length() - before;
        }
        grow(target, added.messageCount());
    }

    /**
     * The number of groups that {@link #forEach} visits.
     *
     * @return the count of groups that have messages; 1 without a group by.
     */
    public int groupCount() {
        return whole != null ? 1 : groups.count() - emptyCount;
    }

    /**
     * Visits the groups that have messages, or without a group by the one there is, with or without messages. While none
     * is removed they come in the order of their first message.
     *
     * @param consumer called for each.
     */
    public void forEach(final GroupConsumer consumer) {
        for (int i = 0; i < groups.count(); i++) {
            final Group group = groups.group(i);
            if (!group.isEmpty() || group == whole) {
                rows.hand(group, consumer);
            }
        }
    }

    /**
     * Visits the groups that messages were added to or removed from since they were visited last, in the order of the
     * first such change. A group without messages is visited with a count of 0, and forgotten. When the consumer throws,
     * the next call begins with the same group.
     *
     * @param consumer called for each.
     */
    public void drainChanged(final GroupConsumer consumer) {
        drainChanged(consumer, Integer.MAX_VALUE);
    }

    /**
     * Visits changed groups as {@link #drainChanged(GroupConsumer)} does, some at a time.
     *
     * @param consumer called for each.
     * @param limit    count of groups.
     * @return whether these were all.
     */
    @SuppressWarnings("ReferenceEquality")
    public boolean drainChanged(final GroupConsumer consumer, final int limit) {
        final int end = (int) Math.min(changed.size(), (long) drainedCount + limit);
        while (drainedCount < end) {
            final Group group = changed.get(drainedCount);
            rows.hand(group, consumer);
            drainedCount++;
            group.isChanged(false);
            if (group.isEmpty() && group != whole) {
                groups.remove(group);
                length -= group.length();
                emptyCount--;
            }
        }
        if (drainedCount < changed.size()) {
            return false;
        }
        changed.clear();
        drainedCount = 0;
        return true;
    }

    /** Takes the groups of an {@link Aggregation}, one after the other. */
    @FunctionalInterface
    public interface GroupConsumer {
        /**
         * Takes a group. The aggregation may not be called meanwhile.
         *
         * @param key          holding the group's key: the values of the group by in a form in which equal values have
         *                     equal bytes. Valid until the call returns.
         * @param offset       of the key's first byte.
         * @param length       of the key in bytes, 0 without a group by.
         * @param messageCount in the group; 0 when the group has ended, or of no messages at all without a group by.
         * @param row          writes the group's message; valid until the call returns.
         */
        void onGroup(DirectBuffer key, int offset, int length, long messageCount, GroupRow row);
    }
}
