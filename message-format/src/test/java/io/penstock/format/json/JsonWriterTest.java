package io.penstock.format.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.format.MessageEditor;
import io.penstock.format.MessageWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JsonWriterTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final int NUMBERS_PER_SEED = 20_000;

    private final MessageWriter writer = new JsonFormat().newWriter();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1024]);

    private String end() {
        final int length = writer.end();
        final String text = buffer.getStringWithoutLengthUtf8(7, length);
        assertThat(new JsonFormat().newValidator().validate(buffer, 7, length))
                .as(text)
                .isNull();
        return text;
    }

    private void putText(final String name, final String text) {
        final UnsafeBuffer utf8 = new UnsafeBuffer(("__" + text).getBytes(StandardCharsets.UTF_8));
        writer.putText(name, utf8, 2, utf8.capacity() - 2);
    }

    @Test
    void shouldWriteFieldsInTheirOrder() {
        writer.wrap(buffer, 7, 1000);
        writer.putNull("none");
        writer.putBoolean("yes", true);
        writer.putBoolean("no", false);
        writer.putLong("least", Long.MIN_VALUE);
        putText("text", "IBM");
        writer.putDouble("price", 335.84);
        assertThat(end())
                .isEqualTo("{\"none\":null,\"yes\":true,\"no\":false,\"least\":-9223372036854775808,"
                        + "\"text\":\"IBM\",\"price\":335.84}");
    }

    @Test
    void shouldWriteAnEmptyObjectWhenThereAreNoFields() {
        writer.wrap(buffer, 7, 2);
        assertThat(end()).isEqualTo("{}");
        writer.wrap(buffer, 7, 1);
        assertThat(writer.end()).isEqualTo(MessageEditor.TOO_LONG);
    }

    @Test
    void shouldEscapeNamesAndTexts() {
        final String odd = "a\"b\\c\b\f\n\r\t\u0000\u001f/é€\u007f\ud83d\ude00";
        writer.wrap(buffer, 7, 1000);
        putText(odd, odd);
        final String text = end();
        assertThat(text).contains("\\\"", "\\\\", "\\b\\f\\n\\r\\t\\u0000\\u001f/é€");
        assertThat(JacksonOracle.tree(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(java.util.Map.of(odd, odd));
    }

    @Test
    void shouldRefuseANameThatIsThere() {
        writer.wrap(buffer, 7, 1000);
        writer.putLong("a", 1);
        assertThatThrownBy(() -> writer.putNull("a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("json: a field is there twice: a (put it once)");
        writer.wrap(buffer, 7, 1000);
        writer.putNull("a");
        assertThat(end()).isEqualTo("{\"a\":null}");
    }

    @Test
    void shouldWriteNothingOutsideWhenTooLong() {
        for (int length = 0; length < 25; length++) {
            buffer.setMemory(0, 64, (byte) '#');
            writer.wrap(buffer, 7, length);
            writer.putLong("a", 1234);
            putText("b", "x\ny");
            assertThat(writer.end()).isEqualTo(length < 21 ? MessageEditor.TOO_LONG : 21);
            assertThat(buffer.getByte(6)).isEqualTo((byte) '#');
            assertThat(buffer.getByte(7 + length)).isEqualTo((byte) '#');
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0.0, -0.0",
        "1, 1",
        "-1.5, -1.5",
        "0.1, 0.1",
        "0.30000000000000004, 0.30000000000000004",
        "100, 100",
        "123456, 123456",
        "123456789012345, 123456789012345",
        "1e15, 1e15",
        "4861686018427387904, 4.861686018427388e18",
        "1e20, 1e20",
        "1e21, 1e21",
        "1.5e21, 1.5e21",
        "1e-6, 0.000001",
        "1e-7, 1e-7",
        "-1.25e-7, -1.25e-7",
        "9007199254740993, 9.007199254740992e15",
        "2e-44, 2e-44",
        "2e23, 2e23",
        "4.9e-324, 5e-324",
        "2.2250738585072014E-308, 2.2250738585072014e-308",
        "1.7976931348623157e308, 1.7976931348623157e308",
        "NaN, null",
        "Infinity, null",
        "-Infinity, null"
    })
    void shouldWriteTheShortestNumber(final double value, final String expected) {
        writer.wrap(buffer, 7, 1000);
        writer.putDouble("d", value);
        assertThat(end()).isEqualTo("{\"d\":" + expected + "}");
    }

    @Test
    void shouldWriteTheShortestNumberThatReadsTheSameWhateverItIs() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < NUMBERS_PER_SEED; i++) {
                check(number(random), seed);
            }
        }
        for (int exponent = Double.MIN_EXPONENT - 52; exponent <= Double.MAX_EXPONENT; exponent++) {
            final double power = Math.scalb(1.0, exponent);
            check(power, 0);
            check(Math.nextUp(power), 0);
            check(Math.nextDown(power), 0);
        }
    }

    private static double number(final SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(1_000_000) / 100.0;
            case 1 -> random.nextLong() >> random.nextInt(64);
            case 2 -> Double.longBitsToDouble(random.nextLong() >>> (1 + random.nextInt(62)));
            default -> Double.longBitsToDouble(random.nextLong());
        };
    }

    private void check(final double value, final int seed) {
        if (!Double.isFinite(value) || value == 0) {
            return;
        }
        writer.wrap(buffer, 7, 1000);
        writer.putDouble("d", value);
        final int length = writer.end();
        final String text = buffer.getStringWithoutLengthAscii(12, length - 6);
        assertThat(Double.parseDouble(text)).as("seed %d: %s", seed, text).isEqualTo(value);
        final BigDecimal exact = new BigDecimal(value);
        final BigDecimal written = new BigDecimal(text).stripTrailingZeros();
        final int digitCount = written.precision();
        if (digitCount > 1) {
            for (final RoundingMode mode : new RoundingMode[] {RoundingMode.FLOOR, RoundingMode.CEILING}) {
                final BigDecimal shorter = exact.round(new MathContext(digitCount - 1, mode));
                assertThat(shorter.doubleValue())
                        .as("seed %d: %s, shorter %s", seed, text, shorter)
                        .isNotEqualTo(value);
            }
        }
        final BigDecimal nearest = exact.round(new MathContext(digitCount, RoundingMode.HALF_EVEN));
        // Below a power of two there is less room than above it.
        if (nearest.doubleValue() != value) {
            return;
        }
        assertThat(written.subtract(exact).abs())
                .as("seed %d: %s, nearer %s", seed, text, nearest)
                .isLessThanOrEqualTo(nearest.subtract(exact).abs());
    }
}
