package io.penstock.broker.query.exact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.SelectSyntax;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormats;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.collections.Hashing;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The different values of an argument, as they come and go. */
class ValueSetTest {
    private static final long LENGTH_MAX = 1 << 20;
    private static final long FIRST_INVERSE = inverse(-4658895280553007687L);
    private static final long SECOND_INVERSE = inverse(-7723592293110705685L);

    private final FieldSet fields = new FieldSet();
    private final Expression argument =
            SelectSyntax.parse("COUNT(DISTINCT x)", "", FilterLimits.DEFAULTS).newArgument(0, fields);
    private final FieldReader reader = MessageFormats.formatFor("json").newReader(fields);

    private Expression value(final String json) {
        final UnsafeBuffer message = new UnsafeBuffer(("{\"x\":" + json + "}").getBytes(StandardCharsets.UTF_8));
        reader.wrap(message, 0, message.capacity());
        argument.evaluate(reader);
        return argument;
    }

    @Test
    void shouldGiveAllItsRoomBackWhenEachValueIsTakenAwayAsOftenAsItCame() {
        final Random random = new Random(4);
        final ValueRoom room = new ValueRoom(LENGTH_MAX);
        final ValueSet set = new ValueSet(room);
        final Map<String, Integer> model = new HashMap<>();
        final List<String> present = new ArrayList<>();
        for (int step = 0; step < 30_000; step++) {
            // First it grows, then it shrinks to nothing.
            if (!present.isEmpty() && random.nextInt(100) < (step < 10_000 ? 20 : 70)) {
                final int at = random.nextInt(present.size());
                final String gone = present.get(at);
                present.set(at, present.get(present.size() - 1));
                present.remove(present.size() - 1);
                set.remove(value(gone));
                model.merge(gone, -1, (old, change) -> old + change == 0 ? null : old + change);
            } else {
                final String come = json(random);
                present.add(come);
                set.add(value(come));
                model.merge(come, 1, Integer::sum);
            }
            assertThat(set.count()).isEqualTo(model.size());
        }
        present.forEach(each -> set.remove(value(each)));
        assertThat(set.count()).isZero();
        room.take(LENGTH_MAX - 1);
        assertThat(room.isFull()).isFalse();
        room.take(1);
        assertThat(room.isFull()).isTrue();
    }

    /** Texts that differ only where the values do. */
    private static String json(final Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> "" + (random.nextInt(600) - 300);
            case 1 -> random.nextInt(600) + ".5";
            case 2 -> "\"t" + "-".repeat(random.nextInt(20)) + random.nextInt(100) + "\"";
            default -> "" + random.nextBoolean();
        };
    }

    @Test
    void shouldHaveEachValueOnceWhenSetsAreBroughtTogether() {
        final ValueRoom room = new ValueRoom(LENGTH_MAX);
        final ValueSet first = new ValueSet(room);
        final ValueSet second = new ValueSet(new ValueRoom(LENGTH_MAX));
        List.of("1", "2.5", "\"a\"", "true").forEach(each -> first.add(value(each)));
        List.of("1.0", "3", "\"a\"", "\"b\"", "false").forEach(each -> second.add(value(each)));
        first.addAll(second);
        assertThat(first.count()).isEqualTo(7);
        assertThat(second.count()).isEqualTo(5);
        first.remove(value("1"));
        assertThat(first.count()).as("it was there twice").isEqualTo(7);
        first.remove(value("1"));
        assertThat(first.count()).isEqualTo(6);
    }

    @Test
    @Timeout(30)
    void shouldNotBecomeSlowByNumbersThatAreChosenForIt() {
        final ValueSet first = new ValueSet(new ValueRoom(Long.MAX_VALUE));
        final ValueSet second = new ValueSet(new ValueRoom(Long.MAX_VALUE));
        final int count = 200_000;
        for (long i = 1; i <= count; i++) {
            first.add(colliding(i));
            second.add(colliding(-i));
            second.add(i << 44);
        }
        assertThat(Hashing.hash(colliding(1))).isEqualTo(Hashing.hash(colliding(count)));
        assertThat(first.count()).isEqualTo(count);
        assertThat(second.count()).isEqualTo(2 * count);
        first.addAll(second);
        assertThat(first.count()).isEqualTo(3 * count);
    }

    /** A number whose hash in a table of the library is 0: its steps are known, and are undone here one by one. */
    private static long colliding(final long half) {
        final long mixed = (half << Integer.SIZE) | (half & 0xFFFF_FFFFL);
        final long second = unshifted(mixed, 31) * SECOND_INVERSE;
        return unshifted(unshifted(second, 27) * FIRST_INVERSE, 30);
    }

    private static long inverse(final long odd) {
        return BigInteger.valueOf(odd)
                .modInverse(BigInteger.ONE.shiftLeft(Long.SIZE))
                .longValue();
    }

    /** The number that becomes this one when it is xored with itself, shifted to the right. */
    private static long unshifted(final long shifted, final int distance) {
        long number = shifted;
        for (int known = distance; known < Long.SIZE; known += distance) {
            number = shifted ^ (number >>> distance);
        }
        return number;
    }

    @Test
    void shouldFindTheNumbersAgainThatItHasStirred() {
        final NumberStir stir = new NumberStir();
        final Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            final long number = i < 100 ? i - 50 : random.nextLong();
            assertThat(stir.number(stir.stirred(number))).isEqualTo(number);
        }
        assertThat(stir.number(stir.stirred(Long.MIN_VALUE))).isEqualTo(Long.MIN_VALUE);
        assertThat(new NumberStir().stirred(1)).isNotEqualTo(stir.stirred(1));
    }

    @Test
    void shouldThrowWhenAValueIsTakenAwayThatIsNotThere() {
        final ValueSet set = new ValueSet(new ValueRoom(LENGTH_MAX));
        for (final String each : List.of("1", "1.5", "\"a\"", "true", "false")) {
            assertThatIllegalStateException().isThrownBy(() -> set.remove(value(each)));
            set.add(value(each));
            set.remove(value(each));
            assertThatIllegalStateException().isThrownBy(() -> set.remove(value(each)));
        }
        set.remove(value("null"));
        assertThat(set.count()).isZero();
    }
}
