package io.penstock.format.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldReader;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What the validators of every format must pass, with readers behind them: they refuse in words, go on after that, and are
 * influenced by no byte outside the message.
 */
public abstract class MessageValidatorTck extends FormatKit {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final int MUTATIONS_PER_SEED = 2_000;

    protected MessageValidatorTck(final TestedFormat tested) {
        super(tested);
    }

    @Test
    public void shouldSayWhatIsWrongInOneLineWhenRefusing() {
        for (final byte[] message : tested.refusedMessages()) {
            final Placement placement = Placement.among(message, 5, ' ');
            assertThat(validate(placement))
                    .as(Arrays.toString(message))
                    .isNotNull()
                    .startsWith(format().name() + ": ")
                    .matches("[^\\p{Cntrl}]+");
        }
    }

    @Test
    public void shouldGoOnWhenTheMessageBeforeWasRefused() {
        for (final byte[] message : tested.refusedMessages()) {
            for (final FormatSample sample : samples) {
                final Placement refused = Placement.among(message, 0, 0);
                assertThat(validate(refused)).isNotNull();
                values(reader, refused);
                final Placement placement = Placement.among(sample.message(), 0, 0);
                assertThat(validate(placement)).isNull();
                check(reader, placement, sample);
            }
        }
    }

    @Test
    public void shouldRefuseOrNotByItsOwnBytesAloneWhenCutOff() {
        for (final FormatSample sample : samples) {
            for (int length = 0; length < sample.message().length; length++) {
                final byte[] start = Arrays.copyOf(sample.message(), length);
                final String answer = answer(start);
                if (tested.refusesTruncation()) {
                    assertThat(answer).as("%d bytes of %s", length, sample).startsWith("refused");
                }
            }
        }
    }

    @Test
    public void shouldAnswerByItsOwnBytesAloneWhenEmpty() {
        assertThat(answer(new byte[0])).isNotEmpty();
    }

    @Test
    public void shouldAnswerByItsOwnBytesAloneWhenMutated() {
        final TreeSet<String> answers = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < MUTATIONS_PER_SEED; i++) {
                final FormatSample sample = samples.get(random.nextInt(samples.size()));
                answers.add(answer(mutated(sample.message(), random)));
            }
        }
        assertThat(answers).isNotEmpty();
    }

    private static byte[] mutated(final byte[] message, final SplittableRandom random) {
        final byte[] mutated = Arrays.copyOf(message, message.length + random.nextInt(-1, 2));
        for (int left = random.nextInt(1, 4); left > 0 && mutated.length > 0; left--) {
            final int position = random.nextInt(mutated.length);
            mutated[position] =
                    random.nextBoolean() ? (byte) random.nextInt(256) : mutated[random.nextInt(mutated.length)];
        }
        return mutated;
    }

    /**
     * What the validator says of a message and what a reader finds in it, valid or not, wherever it lies and whatever
     * lies around it.
     */
    private String answer(final byte[] message) {
        final FieldReader fresh = format().newReader(fields);
        String answer = "";
        for (final int surrounding : new int[] {0, '"', '0', '}', 0xFF}) {
            final Placement placement = Placement.among(message, surrounding % OFFSETS, surrounding);
            final String mistake = validate(placement);
            final String found =
                    (mistake == null ? "accepted " : "refused: " + mistake + ' ') + values(fresh, placement);
            assertThat(answer.isEmpty() ? found : answer)
                    .as("%s: %s", placement, Arrays.toString(message))
                    .isEqualTo(found);
            answer = found;
        }
        return answer;
    }
}
