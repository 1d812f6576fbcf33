package io.penstock.format.tck;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import io.penstock.format.ValidatingReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What the validating readers of every format must pass: they say what a validator and a reader say one after the other, and
 * allocate nothing.
 */
public abstract class ValidatingReaderTck extends FormatKit {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final int MUTATIONS_PER_SEED = 2_000;
    private static final int WARM_UP_COUNT = 30_000;
    private static final int MEASURED_COUNT = 100_000;

    /** Bytes; room for what the virtual machine itself allocates now and then. */
    private static final double ALLOCATED_PER_MESSAGE_MAX = 0.1;

    private final ValidatingReader validating;

    protected ValidatingReaderTck(final TestedFormat tested) {
        super(tested);
        validating = format().newValidatingReader(fields, fields.count());
    }

    @Test
    public void shouldReadWhatTheSamplesHold() {
        for (final FormatSample sample : samples) {
            for (int offset = 0; offset < OFFSETS; offset++) {
                for (final Placement placement : Placement.everywhere(sample.message(), offset, '"')) {
                    check(placement);
                    for (int slot = 0; slot < fields.count(); slot++) {
                        checkSlot(validating, slot, sample);
                    }
                }
            }
        }
    }

    @Test
    public void shouldReadWhenAValidMessageIsWrapped() {
        for (final FormatSample sample : samples) {
            check(validating, Placement.among(sample.message(), 3, '"'), sample);
        }
    }

    @Test
    public void shouldGoOnWhenTheMessageBeforeWasRefused() {
        for (final byte[] message : tested.refusedMessages()) {
            for (final FormatSample sample : samples) {
                check(Placement.among(message, 1, 0));
                check(Placement.among(sample.message(), 1, 0));
            }
        }
    }

    @Test
    public void shouldSayTheSameWhenCutOffOrMutated() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < MUTATIONS_PER_SEED; i++) {
                final byte[] message =
                        samples.get(random.nextInt(samples.size())).message();
                final byte[] mutated = Arrays.copyOf(message, random.nextInt(message.length + 1));
                if (mutated.length > 0 && random.nextBoolean()) {
                    mutated[random.nextInt(mutated.length)] = message[random.nextInt(message.length)];
                }
                check(Placement.among(random.nextBoolean() ? mutated : message, i % OFFSETS, '}'));
            }
        }
    }

    @Test
    public void shouldRememberNoOtherValues() {
        for (final FormatSample remembered : samples) {
            for (final FormatSample sample : samples) {
                check(Placement.among(remembered.message(), 1, 0));
                final List<Object> values = values();
                validating.remember();
                check(Placement.among(sample.message(), 2, '"'));
                if (validating.areRemembered()) {
                    assertThat(values()).as("%s after %s", sample, remembered).isEqualTo(values);
                }
            }
        }
    }

    private List<Object> values() {
        final List<Object> values = new ArrayList<>();
        for (int slot = 0; slot < fields.count(); slot++) {
            values.add(value(validating, slot));
        }
        return values;
    }

    private void check(final Placement placement) {
        final String mistake = validate(placement);
        assertThat(validating.validate(placement.buffer(), placement.offset(), placement.length()))
                .as(placement.toString())
                .isEqualTo(mistake);
        if (mistake != null) {
            return;
        }
        wrap(reader, placement);
        for (int slot = 0; slot < fields.count(); slot++) {
            assertThat(value(validating, slot))
                    .as("%s: %s", fields.path(slot), placement)
                    .isEqualTo(value(reader, slot));
        }
        assertThat(validating.areUnique())
                .as(placement.toString())
                .isEqualTo(format().newUniqueFields(fields)
                        .areUnique(placement.buffer(), placement.offset(), placement.length()));
    }

    @Test
    public void shouldAllocateNothingWhenMessagesAreValid() {
        final List<Placement> placements = new ArrayList<>();
        for (final FormatSample sample : samples) {
            placements.addAll(Placement.everywhere(sample.message(), 1, 0).subList(0, 4));
        }
        long sum = use(placements, WARM_UP_COUNT);

        final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final long before = threads.getCurrentThreadAllocatedBytes();
        sum += use(placements, MEASURED_COUNT);
        final long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat((double) allocated / MEASURED_COUNT)
                .as("bytes a message (%d)", sum)
                .isLessThan(ALLOCATED_PER_MESSAGE_MAX);
    }

    private long use(final List<Placement> placements, final int count) {
        final FieldReader read = validating;
        long sum = 0;
        for (int i = 0; i < count; i++) {
            final Placement placement = placements.get(i % placements.size());
            if (validating.validate(placement.buffer(), placement.offset(), placement.length()) == null) {
                for (int slot = 0; slot < fields.count(); slot++) {
                    sum += read.type(slot) == FieldType.ABSENT ? 0 : 1;
                }
                sum += validating.areUnique() ? 1 : 0;
            }
        }
        return sum;
    }
}
