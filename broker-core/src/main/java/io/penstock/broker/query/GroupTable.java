package io.penstock.broker.query;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups by their key, and in the order in which they came; one that goes gives its place to the last. */
final class GroupTable {
    private static final int CAPACITY_INITIAL = 16;

    private final List<Group> groups = new ArrayList<>();
    /** Groups at the place that their hash says, or the next one that is free; at most half of the places are taken. */
    private @Nullable Group[] places = new Group[CAPACITY_INITIAL];

    int count() {
        return groups.size();
    }

    Group group(final int index) {
        return groups.get(index);
    }

    @Nullable
    Group find(final GroupKey key, final int hash) {
        final int mask = places.length - 1;
        int place = hash & mask;
        Group group = places[place];
        while (group != null && (group.hash() != hash || !key.matches(group.key()))) {
            place = (place + 1) & mask;
            group = places[place];
        }
        return group;
    }

    /** Adds a group whose key is not there. */
    void add(final Group group) {
        group.index(groups.size());
        groups.add(group);
        if (2 * groups.size() > places.length) {
            places = new Group[2 * places.length];
            groups.forEach(this::place);
        } else {
            place(group);
        }
    }

    private void place(final Group group) {
        final int mask = places.length - 1;
        int place = group.hash() & mask;
        while (places[place] != null) {
            place = (place + 1) & mask;
        }
        places[place] = group;
    }

    void remove(final Group group) {
        final Group last = groups.remove(groups.size() - 1);
        if (last != group) {
            groups.set(group.index(), last);
            last.index(group.index());
        }
        unplace(group);
    }

    /** Those behind a gap move up, unless they are where their hash says. */
    private void unplace(final Group group) {
        final int mask = places.length - 1;
        int gap = group.hash() & mask;
        while (places[gap] != group) {
            gap = (gap + 1) & mask;
        }
        int place = (gap + 1) & mask;
        Group next = places[place];
        while (next != null) {
            if (((place - next.hash()) & mask) >= ((place - gap) & mask)) {
                places[gap] = next;
                gap = place;
            }
            place = (place + 1) & mask;
            next = places[place];
        }
        places[gap] = null;
    }

    /**
     * Whether the groups of another table that have messages find room.
     *
     * @param added      the other table.
     * @param emptyCount groups here without messages.
     * @param countMax   groups with messages that there may be, and as many again without.
     */
    boolean hasRoomFor(final GroupTable added, final int emptyCount, final int countMax) {
        final GroupKey key = new GroupKey();
        long liveCount = (long) count() - emptyCount;
        long countInAll = count();
        for (int i = 0; i < added.count(); i++) {
            final Group group = added.group(i);
            key.set(group.key());
            final Group found = find(key, group.hash());
            liveCount += !group.isEmpty() && (found == null || found.isEmpty()) ? 1 : 0;
            countInAll += !group.isEmpty() && found == null ? 1 : 0;
        }
        return liveCount <= countMax && countInAll <= 2L * countMax;
    }
}
