package io.penstock.format.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.GrowableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A reader whose fields come and go reads what one made for those that are there does. */
class GrowableReaderTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 300);
    private static final int STEPS = 120;
    private static final int SLOTS = 24;

    @Test
    void shouldReadWhatAFreshReaderDoesWhenFieldsComeAndGo() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            final JsonSamples samples = new JsonSamples(seed);
            final GrowableReader reader = new JsonFormat().newReader();
            final FieldPath[] paths = new FieldPath[SLOTS];
            final List<FieldPath> present = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                final int slot = random.nextInt(SLOTS);
                if (paths[slot] != null) {
                    reader.remove(slot, paths[slot]);
                    present.remove(paths[slot]);
                    paths[slot] = null;
                } else {
                    final FieldPath path = path(random);
                    if (!present.contains(path)) {
                        reader.add(slot, path);
                        present.add(path);
                        paths[slot] = path;
                    }
                }
                compare(reader, paths, samples.next(), "seed " + seed + ", step " + step);
            }
        }
    }

    @Test
    void shouldFindMembersWhenVeryManyCameAndWent() {
        final GrowableReader reader = new JsonFormat().newReader();
        final UnsafeBuffer message = new UnsafeBuffer("{\"f7\":7,\"f9999\":{\"a\":1},\"f5\":5}".getBytes(UTF_8));
        for (int i = 0; i < 10_000; i++) {
            reader.add(i, FieldTexts.path("f" + i));
        }
        reader.wrap(message, 0, message.capacity());
        assertThat(reader.longValue(7)).isEqualTo(7);
        assertThat(reader.type(9_999)).isEqualTo(FieldType.OBJECT);
        for (int i = 0; i < 10_000; i++) {
            if (i != 5) {
                reader.remove(i, FieldTexts.path("f" + i));
            }
        }
        reader.add(0, FieldTexts.path("f9999/a"));
        reader.wrap(message, 0, message.capacity());
        assertThat(reader.longValue(5)).isEqualTo(5);
        assertThat(reader.longValue(0)).isEqualTo(1);
    }

    private static FieldPath path(final SplittableRandom random) {
        return random.nextInt(4) == 0
                ? FieldTexts.path("none" + random.nextInt(40) + "/x[" + random.nextInt(3) + "]")
                : FieldTexts.path(JsonSamples.PATHS[random.nextInt(JsonSamples.PATHS.length)]);
    }

    private static void compare(
            final GrowableReader reader, final FieldPath[] paths, final byte[] message, final String name) {
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        if (new JsonFormat().newValidator().validate(buffer, 0, message.length) != null) {
            return;
        }
        final FieldSet fields = new FieldSet();
        for (final FieldPath path : paths) {
            if (path != null) {
                fields.slotOf(path);
            }
        }
        final FieldReader fresh = new JsonFormat().newReader(fields);
        reader.wrap(buffer, 0, message.length);
        fresh.wrap(buffer, 0, message.length);
        final List<Integer> expected = slotsOf(fresh, fields, paths);
        for (int slot = paths.length - 1; slot >= 0; slot--) {
            if (paths[slot] != null) {
                // Some are read before it is asked which ones there are.
                if (slot == message.length % SLOTS) {
                    assertThat(presentSlots(reader)).as(name).containsExactlyInAnyOrderElementsOf(expected);
                }
                assertThat(FieldTexts.value(reader, slot))
                        .as(name + ": " + paths[slot])
                        .isEqualTo(FieldTexts.value(fresh, fields.slotOf(paths[slot])));
            }
        }
        assertThat(presentSlots(reader)).as(name).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<Integer> presentSlots(final GrowableReader reader) {
        final List<Integer> slots = new ArrayList<>();
        for (int i = 0, count = reader.presentCount(); i < count; i++) {
            slots.add(reader.presentSlot(i));
        }
        return slots;
    }

    private static List<Integer> slotsOf(final FieldReader fresh, final FieldSet fields, final FieldPath[] paths) {
        final List<Integer> slots = new ArrayList<>();
        for (int slot = 0; slot < paths.length; slot++) {
            if (paths[slot] != null && fresh.type(fields.slotOf(paths[slot])) != FieldType.ABSENT) {
                slots.add(slot);
            }
        }
        return slots;
    }
}
