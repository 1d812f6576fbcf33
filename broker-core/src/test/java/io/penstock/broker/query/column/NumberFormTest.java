package io.penstock.broker.query.column;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.broker.filter.value.Register;
import io.penstock.format.FieldType;
import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Forms have numbers exactly or not at all, and their keys are in the order of the numbers. */
class NumberFormTest {
    private static final int COUNT = 20_000;

    private final Random random = new Random(1);
    private final Register register = new Register();

    private long randomLong() {
        final long bits = random.nextLong() >> random.nextInt(Long.SIZE);
        return switch (random.nextInt(4)) {
            case 0 -> (1L << random.nextInt(63)) + random.nextInt(5) - 2;
            case 1 -> -(1L << random.nextInt(63)) + random.nextInt(5) - 2;
            default -> bits;
        };
    }

    private double randomReal() {
        return switch (random.nextInt(5)) {
            case 0 -> random.nextInt(1_000_000) / 100.0;
            case 1 -> -random.nextInt(1_000_000) / 1e6;
            case 2 -> random.nextDouble() * Math.pow(10, random.nextInt(40) - 20);
            case 3 -> randomLong();
            default -> Math.scalb(random.nextGaussian(), random.nextInt(2_000) - 1_000);
        };
    }

    private BigDecimal number(final int form, final long key) {
        NumberForm.load(form, key, register);
        return register.type() == FieldType.LONG
                ? BigDecimal.valueOf(register.longValue())
                : new BigDecimal(register.doubleValue());
    }

    @Test
    void shouldGiveAnIntegerBackWhenTheFormHoldsIt() {
        int heldCount = 0;
        for (int i = 0; i < COUNT; i++) {
            final long value = randomLong();
            for (int form = 0; form < NumberForm.COUNT; form++) {
                if (NumberForm.holds(form, value)) {
                    heldCount++;
                    final long key = NumberForm.key(form, value);
                    assertThat(number(form, key))
                            .as("%s in form %s", value, form)
                            .isEqualByComparingTo(value + "");
                    assertThat(key).isBetween(NumberForm.keyMin(form), NumberForm.keyMax(form));
                }
            }
        }
        assertThat(heldCount).isGreaterThan(4 * COUNT);
    }

    @Test
    void shouldGiveADoubleBackWhenItsFormIsTaken() {
        int decimalCount = 0;
        for (int i = 0; i < COUNT; i++) {
            final double value = randomReal();
            final int form = NumberForm.formOf(value, random.nextInt(NumberForm.COUNT));
            decimalCount += form < NumberForm.REAL ? 1 : 0;
            NumberForm.load(form, NumberForm.key(form, value), register);
            assertThat(register.doubleValue() == value)
                    .as("%s in form %s", value, form)
                    .isTrue();
        }
        assertThat(decimalCount).isGreaterThan(COUNT / 4);
    }

    @Test
    void shouldHaveGreaterNumbersWhenKeysAreGreater() {
        for (int i = 0; i < COUNT; i++) {
            final int form = random.nextInt(NumberForm.COUNT);
            final double one = randomReal();
            final double other = random.nextBoolean() ? randomReal() : Math.nextUp(one);
            if (form != NumberForm.INTEGER
                    && NumberForm.formOf(one, form) == form
                    && NumberForm.formOf(other, form) == form) {
                final int order = Long.compare(NumberForm.key(form, one), NumberForm.key(form, other));
                assertThat(order).isEqualTo(one < other ? -1 : one > other ? 1 : 0);
            }
        }
    }

    @Test
    void shouldKeepTheNumberWhenTheFormChanges() {
        for (int i = 0; i < COUNT; i++) {
            final boolean isLong = random.nextBoolean();
            final double real = randomReal();
            final long whole = randomLong();
            final int from = isLong ? NumberForm.INTEGER : NumberForm.formOf(real, 0);
            final long key = isLong ? whole : NumberForm.key(from, real);
            final int to = Math.max(from, 1 + random.nextInt(NumberForm.REAL));
            if (to != from && NumberForm.holds(to, from, key)) {
                assertThat(number(to, NumberForm.convert(to, from, key)))
                        .as("%s from form %s to %s", key, from, to)
                        .isEqualByComparingTo(number(from, key));
            }
        }
    }
}
