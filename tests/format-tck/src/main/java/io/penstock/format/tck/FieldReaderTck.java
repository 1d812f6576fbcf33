package io.penstock.format.tck;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldType;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the readers of every format must pass: they find what the samples hold, in any order, and allocate nothing. */
public abstract class FieldReaderTck extends FormatKit {
    private static final int WARM_UP_COUNT = 30_000;
    private static final int MEASURED_COUNT = 100_000;

    /** Bytes; room for what the virtual machine itself allocates now and then. */
    private static final double ALLOCATED_PER_MESSAGE_MAX = 0.1;

    protected FieldReaderTck(final TestedFormat tested) {
        super(tested);
    }

    @Test
    public void shouldReadWhatTheSamplesHold() {
        for (final FormatSample sample : samples) {
            for (int offset = 0; offset < OFFSETS; offset++) {
                for (final Placement placement : Placement.everywhere(sample.message(), offset, 0xFF)) {
                    assertThat(validate(placement))
                            .as("%s: %s", placement, sample)
                            .isNull();
                    check(reader, placement, sample);
                }
            }
        }
    }

    @Test
    public void shouldReadTheSameWhenSlotsAreAskedBackwardsAndTwice() {
        for (final FormatSample sample : samples) {
            wrap(reader, Placement.among(sample.message(), 3, 0));
            for (int round = 0; round < 2; round++) {
                for (int slot = fields.count() - 1; slot >= 0; slot--) {
                    checkSlot(reader, slot, sample);
                }
            }
        }
    }

    @Test
    public void shouldForgetTheMessageBeforeWhenWrappedAgain() {
        for (final FormatSample before : samples) {
            for (final FormatSample sample : samples) {
                wrap(reader, Placement.among(before.message(), 1, 0));
                reader.type(fields.count() - 1);
                check(reader, Placement.among(sample.message(), 2, 0), sample);
            }
        }
    }

    @Test
    public void shouldKeepReadersApartWhenTheyTakeTurns() {
        final FieldReader other = format().newReader(fields);
        final FormatSample first = samples.get(0);
        final FormatSample second = samples.get(1);
        wrap(reader, Placement.among(first.message(), 1, 0));
        wrap(other, Placement.among(second.message(), 1, 0));
        for (int slot = 0; slot < fields.count(); slot++) {
            checkSlot(reader, slot, first);
            checkSlot(other, slot, second);
        }
    }

    @Test
    public void shouldHaveNoFieldsWhenEmpty() {
        for (int offset = 0; offset < OFFSETS; offset++) {
            for (final Placement placement : Placement.everywhere(new byte[0], offset, '1')) {
                wrap(reader, placement);
                for (int slot = 0; slot < fields.count(); slot++) {
                    assertThat(reader.type(slot)).isEqualTo(FieldType.ABSENT);
                }
            }
        }
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
        long sum = 0;
        for (int i = 0; i < count; i++) {
            final Placement placement = placements.get(i % placements.size());
            if (validate(placement) == null) {
                wrap(reader, placement);
                for (int slot = 0; slot < fields.count(); slot++) {
                    sum += sum(slot);
                    final int elementCount = reader.type(slot) == FieldType.ARRAY ? reader.elementCount(slot) : 0;
                    for (int element = 0; element < elementCount; element++) {
                        reader.element(slot, element);
                        sum += sum(slot);
                    }
                }
            }
        }
        return sum;
    }

    private long sum(final int slot) {
        return switch (reader.type(slot)) {
            case BOOLEAN -> reader.booleanValue(slot) ? 1 : 0;
            case LONG -> reader.longValue(slot);
            case DOUBLE -> (long) reader.doubleValue(slot);
            case STRING, UNTYPED ->
                reader.stringBuffer(slot).capacity() + reader.stringOffset(slot) + reader.stringLength(slot);
            case ABSENT, NULL, ARRAY, OBJECT -> 0;
        };
    }
}
