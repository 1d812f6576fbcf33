package io.penstock.transport.rdma;

import io.penstock.transport.rdma.verbs.Completions;

/** A queue of completions, which lets them be seen late. Under the fabric's lock. */
final class FakeQueue {
    private final FakeFabric fabric;
    private final long[] ids;
    private final int[] statuses;
    private final int[] operations;
    private final int[] lengths;
    private long head;
    private long tail;
    private int delay;

    FakeQueue(final FakeFabric fabric, final int capacity) {
        this.fabric = fabric;
        ids = new long[capacity];
        statuses = new int[capacity];
        operations = new int[capacity];
        lengths = new int[capacity];
    }

    void add(final long id, final int status, final int operation, final int length) {
        FakeFabric.check(tail - head < ids.length, "room for a completion");
        final int index = (int) (tail++ % ids.length);
        ids[index] = id;
        statuses[index] = status;
        operations[index] = operation;
        lengths[index] = length;
    }

    boolean isLate() {
        return head < tail;
    }

    int poll(final Completions completions) {
        int count = 0;
        while (head < tail && count < completions.capacity()) {
            if (delay > 0) {
                delay--;
                break;
            }
            final int index = (int) (head++ % ids.length);
            completions.put(count++, ids[index], statuses[index], operations[index], lengths[index], 0, 0);
            delay = fabric.delay();
        }
        return count;
    }
}
