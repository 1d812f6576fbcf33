package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageValidator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Messages drawn from seeds, read as Jackson reads them; more with {@code -Dpenstock.seeds=1000}. */
final class JsonComparisonTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final int MESSAGES_PER_SEED = 10_000;
    private static final int MARGIN = 16;

    private final UnsafeBuffer outside = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 16));
    private final UnsafeBuffer inside = new UnsafeBuffer(new byte[1 << 16]);
    private final FieldSet fields = FieldTexts.fields(JsonSamples.PATHS);

    @Test
    void shouldAcceptAndReadWhatJacksonDoes() {
        int acceptedCount = 0;
        for (int i = 0; i < SEEDS; i++) {
            final int seed = i;
            final JsonSamples samples = new JsonSamples(seed);
            final SplittableRandom random = new SplittableRandom(seed);
            final MessageValidator validator = new JsonFormat().newValidator();
            final FieldReader reader = new JsonFormat().newReader(fields);
            for (int number = 0; number < MESSAGES_PER_SEED; number++) {
                final byte[] message = samples.next();
                final UnsafeBuffer buffer = random.nextBoolean() ? outside : inside;
                final int offset = surrounded(buffer, message, random);
                final String mistake = validator.validate(buffer, offset, message.length);
                final boolean isValid = JacksonOracle.accepts(message);
                final Supplier<String> name = name(seed, number, message);
                assertThat(mistake == null)
                        .as(() -> name.get() + ": " + mistake)
                        .isEqualTo(isValid);
                if (isValid) {
                    acceptedCount++;
                    reader.wrap(buffer, offset, message.length);
                    compare(reader, message, random, name);
                }
            }
        }
        assertThat(acceptedCount).isBetween(SEEDS * MESSAGES_PER_SEED / 2, SEEDS * MESSAGES_PER_SEED * 9 / 10);
    }

    /** Bytes around the message that would end or go on with most of what can be cut off. */
    private static int surrounded(final UnsafeBuffer buffer, final byte[] message, final SplittableRandom random) {
        final int offset = 1 + random.nextInt(MARGIN);
        buffer.setMemory(0, offset, (byte) '"');
        buffer.putBytes(offset, message);
        buffer.setMemory(offset + message.length, MARGIN, (byte) "\"}]0,".charAt(random.nextInt(5)));
        return offset;
    }

    private static Supplier<String> name(final int seed, final int number, final byte[] message) {
        return () -> "seed " + seed + ", message " + number + ": "
                + FieldTexts.shown(new String(message, StandardCharsets.UTF_8));
    }

    /** Reads the fields in some order. */
    private void compare(
            final FieldReader reader,
            final byte[] message,
            final SplittableRandom random,
            final Supplier<String> name) {
        final Object tree = JacksonOracle.tree(message);
        final int[] slots = new int[fields.count()];
        Arrays.setAll(slots, slot -> slot);
        for (int left = slots.length; left > 0; left--) {
            final int picked = random.nextInt(left);
            final int slot = slots[picked];
            slots[picked] = slots[left - 1];
            assertThat(FieldTexts.value(reader, slot))
                    .as(() -> name.get() + ": " + fields.path(slot))
                    .isEqualTo(JacksonOracle.value(tree, fields.path(slot)));
        }
    }
}
