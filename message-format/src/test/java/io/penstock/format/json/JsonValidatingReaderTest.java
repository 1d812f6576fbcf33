package io.penstock.format.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.format.FieldReader;
import io.penstock.format.FieldSelection;
import io.penstock.format.FieldSet;
import io.penstock.format.KeyReader;
import io.penstock.format.MessageValidator;
import io.penstock.format.UniqueFields;
import io.penstock.format.ValidatingReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One pass says the same as a validator, a reader and a look for what stands twice, each for itself. */
final class JsonValidatingReaderTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 2);
    private static final int MESSAGES_PER_SEED = 10_000;
    private static final int UNIQUE_COUNT = 7;

    private final FieldSet fields = FieldTexts.fields(JsonSamples.PATHS);
    private final OnePass onePass = new OnePass(fields, UNIQUE_COUNT);

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":1,"b":2}                      | a       | LONG 1      | true
            {"a":1,"a":2}                      | a       | LONG 1      | false
            {"b":1,"b":2,"a":3}                | a       | LONG 3      | true
            {"\\u0061":1,"a":2}                | a       | LONG 1      | false
            {"a":{"b":1},"a":{"b":2}}          | a/b     | LONG 1      | false
            {"a":{"c":1},"a":{"b":2}}          | a/b     | ABSENT      | false
            {"a":7,"a":{"b":2}}                | a/b     | ABSENT      | false
            {"a":{"b":1,"b":2}}                | a/b     | LONG 1      | false
            {"x":{"a":1,"a":2},"a":"y"}        | a       | STRING <y>  | true
            {"a":[{"b":1},{"b":2}]}            | a[1]/b  | LONG 2      | true
            {"a":[{"b":1},{"b":2,"b":3}]}      | a[1]/b  | LONG 2      | false
            {"a":[{"b":1,"b":1},{"b":2}]}      | a[1]/b  | LONG 2      | true
            {"a":[[1],[2,3]]}                  | a[1]    | OBJECT      | true
            {"a":[1,[2,3],4.5]}                | a[2]    | DOUBLE 4.5  | true
            {"a":{"x":[{},{"b":1}],"b":true}}  | a/b     | BOOLEAN true | true
            [{"a":1}]                          | a       | ABSENT      | true
            {"a":[1,{"b":2},null]}             | a       | ARRAY [LONG 1, OBJECT, NULL] | true
            """)
    void shouldFindTheFirstOfEachField(
            final String message, final String path, final String value, final boolean areUnique) {
        final FieldSet one = FieldTexts.fields(path);
        final ValidatingReader reader = new JsonFormat().newValidatingReader(one, 1);
        final byte[] bytes = message.getBytes(UTF_8);
        // The second look knows the members, the first one does not.
        for (int round = 0; round < 2; round++) {
            assertThat(reader.validate(new UnsafeBuffer(bytes), 0, bytes.length))
                    .isNull();
            assertThat(FieldTexts.value(reader, 0)).isEqualTo(value);
            assertThat(reader.areUnique()).isEqualTo(areUnique);
        }
    }

    @Test
    void shouldAskOnlyTheFirstFieldsToBeUnique() {
        final FieldSet two = FieldTexts.fields("a/b", "a/c", "d");
        final ValidatingReader reader = new JsonFormat().newValidatingReader(two, 1);
        assertThat(areUnique(reader, "{\"a\":{\"b\":1,\"c\":2,\"c\":3},\"d\":4,\"d\":5}"))
                .isTrue();
        assertThat(areUnique(reader, "{\"a\":{\"b\":1,\"c\":2},\"d\":4,\"a\":5}"))
                .isFalse();
        assertThat(areUnique(reader, "{\"a\":{\"b\":1,\"c\":2,\"b\":3},\"d\":4}"))
                .isFalse();
        assertThat(areUnique(reader, "{\"a\":{\"b\":1,\"c\":2},\"d\":4}")).isTrue();
    }

    private static boolean areUnique(final ValidatingReader reader, final String message) {
        final byte[] bytes = message.getBytes(UTF_8);
        assertThat(reader.validate(new UnsafeBuffer(bytes), 0, bytes.length)).isNull();
        return reader.areUnique();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"a":"E","b":"W"}                | {"a":"E","b":"W"}              | true
            {"a":"E","b":"W"}                | { "b" : "W" , "c":1, "a":"E" } | true
            {"a":"E","b":"W"}                | {"a":"E","b":"w"}              | false
            {"a":"E","b":"W"}                | {"a":"E2","b":"W"}             | false
            {"a":"E2","b":"W"}               | {"a":"E","b":"W"}              | false
            {"a":"","b":"W"}                 | {"a":"W","b":""}               | false
            {"a":"E","b":"W"}                | {"a":"E"}                      | false
            {"a":"E"}                        | {"a":"E"}                      | false
            {"a":"E","b":7}                  | {"a":"E","b":7}                | false
            {"a":"E","b":["W"]}              | {"a":"E","b":["W"]}            | false
            {"a":"E","b":null}               | {"a":"E","b":null}             | false
            {"a":"\\u0045\\"","b":"\\\\"}    | {"a":"\\u0045\\"","b":"\\\\"}  | true
            {"a":"\\u0045","b":"W"}          | {"a":"E","b":"W"}              | false
            {"a":"12345678901234567890ab","b":"W"} | {"a":"12345678901234567890ab","b":"W"} | true
            {"a":"12345678901234567890ab","b":"W"} | {"a":"12345678901234567890ax","b":"W"} | false
            {"a":"12345678901234567890abc","b":"W"} | {"a":"12345678901234567890abc","b":"W"} | false
            """)
    void shouldRememberShortTextsAlone(final String message, final String next, final boolean areRemembered) {
        final ValidatingReader reader = new JsonFormat().newValidatingReader(FieldTexts.fields("a", "b", "c"), 2);
        assertThat(areUnique(reader, "{\"a\":\"E\",\"b\":\"W\"}")).isTrue();
        assertThat(reader.areRemembered()).isFalse();
        reader.remember();
        assertThat(reader.areRemembered()).isTrue();
        assertThat(areUnique(reader, message)).isTrue();
        reader.remember();
        assertThat(areUnique(reader, next)).isTrue();
        assertThat(reader.areRemembered()).isEqualTo(areRemembered);
        assertThat(areUnique(reader, "{}")).isTrue();
        assertThat(reader.areRemembered()).isFalse();
    }

    @Test
    void shouldRememberNothingBeforeItWasTold() {
        final ValidatingReader reader = new JsonFormat().newValidatingReader(FieldTexts.fields("a"), 0);
        assertThat(areUnique(reader, "{\"a\":\"E\"}")).isTrue();
        assertThat(reader.areRemembered()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1{\"id\":2}}",
                "{\"a\":1\"id\":2}",
                "{,\"id\":2}",
                "{\"a\":{,\"id\":2}}",
                "{\"id\":1 \"id\":2}",
                "{\"id\":1,\"a\":{\"id\":1},\"id\":}",
                "{\"id\":}",
                "{\"id\":1,\"a\":{\"id\"}}"
            })
    void shouldRefuseFirstMembersElsewhereAndOthersFirst(final String message) {
        final OnePass judge = new OnePass(FieldTexts.fields("id", "a/id"), 2);
        for (final String before : List.of(
                "{\"id\":1,\"a\":{\"id\":1},\"id\":2}", "{\"a\":1,\"id\":2}", "{\"a\":{\"a\":1,\"id\":2}}", "{}")) {
            judge.check(before.getBytes(UTF_8));
            judge.check(message.getBytes(UTF_8));
        }
    }

    @Test
    void shouldJudgeNumbersAsANaiveReaderDoes() {
        final SplittableRandom random = new SplittableRandom(120);
        final String characters = "0123456789.-+eE00.,}] x\u00e9";
        for (int i = 0; i < 300_000; i++) {
            final StringBuilder number = new StringBuilder();
            for (int left = random.nextInt(1, 12); left > 0; left--) {
                final int bound = random.nextInt(3) == 0 ? characters.length() : 11;
                number.append(characters.charAt(random.nextInt(bound)));
            }
            onePass.check(("{\"a\":" + number + ",\"b\":" + number + '}').getBytes(UTF_8));
        }
    }

    @Test
    void shouldSayTheSameAsThreePassesWhenMessagesAreRandom() {
        int uniqueCount = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            final JsonSamples samples = new JsonSamples(seed);
            for (int i = 0; i < MESSAGES_PER_SEED; i++) {
                uniqueCount += onePass.check(samples.next()) ? 1 : 0;
            }
        }
        assertThat(uniqueCount).isBetween(SEEDS * 1_000, SEEDS * (MESSAGES_PER_SEED - 1_000));
    }

    @Test
    void shouldSayTheSameAsThreePassesWhenMessagesAreCutAnywhere() throws IOException {
        final FieldSet wanted = FieldTexts.fields(
                "id", "text", "ts", "properties/mag", "geometry/coordinates[1]", "properties/title", "type");
        for (final String file : List.of("orders-183.ndjson", "orders-845.ndjson", "earthquakes.ndjson")) {
            final OnePass judge = new OnePass(wanted, 3);
            for (final byte[] message : messages(file).subList(0, 12)) {
                judge.check(message);
                for (int length = 0; length < message.length; length++) {
                    judge.check(Arrays.copyOf(message, length));
                }
            }
        }
    }

    @Test
    void shouldSayTheSameAsThreePassesWhenRealMessagesAreMutated() throws IOException {
        final FieldSet wanted = FieldTexts.fields(
                "id", "symbol", "price", "properties/mag", "geometry/coordinates[1]", "properties/net");
        for (int seed = 0; seed < SEEDS; seed++) {
            final SplittableRandom random = new SplittableRandom(seed);
            for (final String file : List.of("orders-183.ndjson", "orders-845.ndjson", "earthquakes.ndjson")) {
                final OnePass judge = new OnePass(wanted, 4);
                final List<byte[]> messages = messages(file);
                for (int i = 0; i < MESSAGES_PER_SEED; i++) {
                    judge.check(mutated(messages.get(random.nextInt(messages.size())), random));
                }
            }
        }
    }

    private static byte[] mutated(final byte[] message, final SplittableRandom random) {
        final String likely = "{}[]:,\"\\0e-. \u00c3";
        final byte[] mutated = message.clone();
        for (int left = random.nextInt(3); left > 0; left--) {
            final int position = random.nextInt(mutated.length);
            switch (random.nextInt(4)) {
                case 0 -> mutated[position] = (byte) random.nextInt(256);
                case 1 -> mutated[position] = (byte) likely.charAt(random.nextInt(likely.length()));
                case 2 -> mutated[position] = mutated[random.nextInt(mutated.length)];
                default -> {
                    final int length = Math.min(random.nextInt(24), mutated.length - position);
                    final int from = random.nextInt(mutated.length - length + 1);
                    System.arraycopy(message, from, mutated, position, length);
                }
            }
        }
        return mutated;
    }

    private static List<byte[]> messages(final String file) throws IOException {
        final List<byte[]> messages = new ArrayList<>();
        for (final String line : Files.readAllLines(Path.of("../examples/data", file))) {
            messages.add(line.getBytes(UTF_8));
        }
        return messages;
    }

    @Test
    void shouldReadTheKeyOfTheMessageThatWasValidated() {
        final FieldSet wanted = FieldTexts.fields("desk", "id");
        final ValidatingReader reader = new JsonFormat().newValidatingReader(wanted, 1);
        final KeyReader key = KeyReader.of(reader, wanted, FieldSelection.parse("id"));
        final KeyReader other = new KeyReader(new JsonFormat(), FieldSelection.parse("id"));
        for (final String message :
                List.of("{\"id\":7,\"desk\":\"E\"}", "{\"desk\":\"E\",\"id\":\"x\\u0041\"}", "{\"desk\":1}")) {
            final byte[] bytes = message.getBytes(UTF_8);
            assertThat(reader.validate(new UnsafeBuffer(bytes), 0, bytes.length))
                    .isNull();
            assertThat(key.read()).isEqualTo(other.read(new UnsafeBuffer(bytes), 0, bytes.length));
            assertThat(key.length()).isEqualTo(other.length());
            assertThat(key.buffer().compareTo(other.buffer())).isZero();
        }
    }

    /** One pass, and what it is compared with. All of them keep what one message teaches for the next. */
    private static final class OnePass {
        private final FieldSet fields;
        private final ValidatingReader reader;
        private final MessageValidator validator = new JsonFormat().newValidator();
        private final FieldReader plainReader;
        private final UniqueFields unique;

        OnePass(final FieldSet fields, final int uniqueCount) {
            this.fields = fields;
            final FieldSet uniqueFields = new FieldSet();
            for (int slot = 0; slot < uniqueCount; slot++) {
                uniqueFields.slotOf(fields.path(slot));
            }
            reader = new JsonFormat().newValidatingReader(fields, uniqueCount);
            plainReader = new JsonFormat().newReader(fields);
            unique = new JsonFormat().newUniqueFields(uniqueFields);
        }

        /** Returns whether the message is valid and has nothing twice. */
        boolean check(final byte[] message) {
            final UnsafeBuffer buffer = new UnsafeBuffer(message);
            final String expected = NaiveJsonValidator.validate(message);
            assertThat(reader.validate(buffer, 0, message.length))
                    .as(() -> new String(message, UTF_8))
                    .isEqualTo(expected);
            assertThat(validator.validate(buffer, 0, message.length))
                    .as(() -> new String(message, UTF_8))
                    .isEqualTo(expected);
            if (expected != null) {
                return false;
            }
            plainReader.wrap(buffer, 0, message.length);
            for (int slot = 0; slot < fields.count(); slot++) {
                final int field = slot;
                assertThat(FieldTexts.value(reader, slot))
                        .as(() -> fields.path(field) + " of " + new String(message, UTF_8))
                        .isEqualTo(FieldTexts.value(plainReader, slot));
            }
            final boolean areUnique = unique.areUnique(buffer, 0, message.length);
            assertThat(reader.areUnique()).as(() -> new String(message, UTF_8)).isEqualTo(areUnique);
            return areUnique;
        }
    }
}
