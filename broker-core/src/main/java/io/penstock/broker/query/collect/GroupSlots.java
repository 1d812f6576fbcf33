package io.penstock.broker.query.collect;

import io.penstock.broker.query.column.ColumnKind;
import io.penstock.broker.query.column.ColumnPart;
import io.penstock.broker.shard.store.StateStore;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the groups of rows by columns of the fields that are their key. */
final class GroupSlots {
    private static final int CAPACITY_INITIAL = 64;

    private final int[] keySlots;
    private final KeyField[] fields;

    /** Of a field's number and what the fields before have: one number for both. */
    private final LongIds[] pairs;

    private final GroupTarget target;
    private final ColumnRow row;

    /** By number of the key: the group, or {@link GroupTarget#NO_GROUP} when it was not met. */
    private int[] groupOf = new int[CAPACITY_INITIAL];

    /** Of texts when there is one key; null otherwise. */
    private final @Nullable TextGroups texts;

    private final int[] ids = new int[StateStore.BLOCK_LENGTH];
    private final int[] groups = new int[StateStore.BLOCK_LENGTH];
    private int groupCount;
    private long refused;

    GroupSlots(final List<Integer> keys, final ColumnRow row, final GroupTarget target) {
        keySlots = keys.stream().mapToInt(Integer::intValue).toArray();
        fields = new KeyField[keySlots.length];
        Arrays.setAll(fields, i -> new KeyField());
        pairs = new LongIds[keySlots.length];
        Arrays.setAll(pairs, i -> new LongIds());
        texts = keySlots.length == 1 ? new TextGroups() : null;
        this.row = row;
        this.target = target;
        groupCount = keySlots.length == 0 ? 1 : 0;
        Arrays.fill(groupOf, GroupTarget.NO_GROUP);
    }

    /** Whether all rows are one group, with the number 0. */
    boolean isWhole() {
        return fields.length == 0;
    }

    /** Begins with the present block. Whether its keys can be told apart here. */
    boolean begin() {
        if (texts != null) {
            texts.ensure(row.column(keySlots[0]).texts().count());
        }
        for (final int slot : keySlots) {
            if (!KeyField.areFinite(row.part(slot))) {
                return false;
            }
        }
        return true;
    }

    /** The groups of the rows that were found last, by row of the block. */
    int[] groups() {
        return groups;
    }

    /** Groups that were found so far have numbers below this. */
    int groupCount() {
        return groupCount;
    }

    /** Of the rows that were asked about last those for which there was no room. */
    long refused() {
        return refused;
    }

    /**
     * Finds the groups of some rows. The first row of a group is added to the target.
     *
     * @param word of a bitmap of the block.
     * @param rows of the word, whose keys are known.
     * @return rows that have a group and were not added.
     */
    long find(final int word, final long rows) {
        refused = 0;
        if (isWhole() || rows == 0 || (texts != null && texts.find(row.part(keySlots[0]), word, rows, groups))) {
            return rows;
        }
        number(word, rows);
        final int first = word * Long.SIZE;
        int all = 0;
        if (rows == -1) {
            for (int i = first; i < first + Long.SIZE; i++) {
                final int group = known(ids[i]);
                groups[i] = group;
                all |= group;
            }
        } else {
            for (long rest = rows; rest != 0; rest &= rest - 1) {
                final int i = first + Long.numberOfTrailingZeros(rest);
                groups[i] = known(ids[i]);
                all |= groups[i];
            }
        }
        return all >= 0 ? rows : addNew(word, rows);
    }

    /** Whether {@link #findWhole} can find the groups of all rows of the block: they have no key, or one that is a text. */
    boolean canFindWhole() {
        if (isWhole()) {
            return true;
        }
        final ColumnPart part = row.part(keySlots[0]);
        return texts != null && part.kinds() == 1 << ColumnKind.TEXT && part.shift() == 1;
    }

    /**
     * Finds the groups of all rows of the block.
     *
     * @param into gets the groups, {@link GroupTarget#NO_GROUP} where they are not known.
     * @return whether all are known.
     */
    boolean findWhole(final WholeBlock into) {
        return texts == null || texts.findWhole(row.part(keySlots[0]), into.groups());
    }

    private int known(final int id) {
        return id < groupOf.length ? groupOf[id] : GroupTarget.NO_GROUP;
    }

    private void number(final int word, final long rows) {
        final ColumnPart part = row.part(keySlots[0]);
        fields[0].ids(part, word, rows, ids);
        for (int field = 1; field < fields.length; field++) {
            // Groups are not known yet, so their places are free.
            fields[field].ids(row.part(keySlots[field]), word, rows, groups);
            for (long rest = rows; rest != 0; rest &= rest - 1) {
                final int i = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
                ids[i] = pairs[field].idOf((long) ids[i] << Integer.SIZE | groups[i]);
            }
        }
    }

    private long addNew(final int word, final long rows) {
        long left = rows;
        for (long rest = rows; rest != 0; rest &= rest - 1) {
            final int i = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
            if (groups[i] == GroupTarget.NO_GROUP) {
                groups[i] = known(ids[i]);
            }
            if (groups[i] == GroupTarget.NO_GROUP) {
                groups[i] = addFirst(i);
                left &= ~(rest & -rest);
                refused |= groups[i] == GroupTarget.NO_GROUP ? rest & -rest : 0;
            }
        }
        return left;
    }

    private int addFirst(final int rowInBlock) {
        final int group = target.add(row.at(rowInBlock));
        final int id = ids[rowInBlock];
        if (id >= groupOf.length) {
            final int length = groupOf.length;
            groupOf = Arrays.copyOf(groupOf, Math.max(2 * length, Integer.highestOneBit(id) << 1));
            Arrays.fill(groupOf, length, groupOf.length, GroupTarget.NO_GROUP);
        }
        groupOf[id] = group;
        if (texts != null && group != GroupTarget.NO_GROUP) {
            texts.note(KeyField.code(id), group);
        }
        groupCount = Math.max(groupCount, group + 1);
        return group;
    }
}
