package io.penstock.broker.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Groups are found by their key while others come and go, with hashes that collide. */
class GroupTableTest {
    @Test
    void shouldFindThoseThatAreThereWhenHashesCollide() {
        for (int hashCount = 1; hashCount < 40; hashCount += 6) {
            final Random random = new Random(hashCount);
            final GroupTable table = new GroupTable();
            final List<Group> present = new ArrayList<>();
            for (int step = 0; step < 400; step++) {
                if (!present.isEmpty() && random.nextInt(5) < 2) {
                    table.remove(present.remove(random.nextInt(present.size())));
                } else {
                    final UnsafeBuffer key = key(step);
                    final Group group = new Group(key, random.nextInt(hashCount), new Accumulator[0]);
                    table.add(group);
                    present.add(group);
                }
                assertThat(table.count()).isEqualTo(present.size());
            }
            final GroupKey key = new GroupKey();
            for (final Group group : present) {
                key.set(group.key());
                assertThat(table.find(key, group.hash())).isSameAs(group);
                assertThat(table.group(group.index())).isSameAs(group);
            }
            key.set(key(-1));
            assertThat(table.find(key, 0)).isNull();
        }
    }

    private static UnsafeBuffer key(final int number) {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
        key.putInt(0, number);
        return key;
    }
}
