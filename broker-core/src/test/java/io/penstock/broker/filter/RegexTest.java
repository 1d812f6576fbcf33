package io.penstock.broker.filter;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import io.penstock.broker.filter.value.RegexPattern;
import io.penstock.broker.filter.value.Register;
import io.penstock.broker.filter.value.Truth;
import io.penstock.broker.filter.value.Work;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regular expressions, held against RE2/J, whose syntax they are in. */
class RegexTest {
    private static final String[] TEXTS = {
        "",
        "a",
        "b",
        "ab",
        "abc",
        "aab",
        "xabcy",
        "a\nb",
        "\n",
        "A",
        "ABC",
        "über",
        "ÜBER",
        "ſK",
        "k s",
        "日本語",
        "😀",
        "foo.bar",
        "foo bar_9",
        "a-b",
        "[x]",
        "\\",
        "{1}",
        "a{2}",
        "12:34:56",
        "\t",
        "ΣΑΣ σας",
        "zzz",
        "^$",
        "a.b*c"
    };
    private static final String[] ATOMS = {
        "a",
        "b",
        "c",
        ".",
        "[ab]",
        "[^a]",
        "[a-c]",
        "\\d",
        "\\w",
        "\\W",
        "\\s",
        "^",
        "$",
        "\\b",
        "\\B",
        "ü",
        "\\pL",
        "\\p{Lu}",
        "(?i)b",
        "(?i:A)",
        "(?s:.)",
        "(?m:^)",
        "(?m:$)",
        "(a|b)",
        "(?:ab)",
        "()",
        "[[:alpha:]]",
        "\\.",
        "\\A",
        "\\z",
        "[^\\w]",
        "\\x61",
        "(c)",
        "k",
        "σ"
    };
    private static final String[] REPEATS = {"", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "{0}"};

    private static boolean find(final String pattern, final String text) {
        return find(RegexPattern.of(pattern, new Work()), text);
    }

    private static boolean find(final RegexPattern regex, final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final Register register = new Register();
        register.set(new UnsafeBuffer(bytes), 0, bytes.length);
        return regex.truth(register) == Truth.TRUE;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a|b|",
                "^a",
                "a$",
                "^$",
                "^.$",
                "(?s)^.$",
                "(?m)^b$",
                "a.b",
                "(?s)a.b",
                "a*",
                "^a*$",
                "(a*)*",
                "(a*)+$",
                "(a|b)*c",
                "a{2}",
                "a{2,}",
                "a{0,1}b",
                "^(?:a|ab)(?:c|bcd)?$",
                "x{,2}",
                "a{x",
                "[]a]",
                "[^]a]",
                "[a-]",
                "[-a]",
                "[\\]]",
                "[\\d.]",
                "[^\\d\\s]",
                "[[:digit:]:]",
                "[[:^alpha:]]",
                "\\Qa.b*\\E",
                "\\Qab\\E*c",
                "\\Q\\E",
                "\\bbar",
                "\\Bar",
                "\\x{1F600}",
                "\\p{Han}+",
                "\\P{L}",
                "\\p{^L}",
                "[\\p{Lu}x]",
                "\\pN",
                "(?i)über",
                "(?i)[a-c]",
                "(?i)[^a]",
                "(?i)k",
                "(?i)S",
                "(?i)σ",
                "(?i)\\p{Lu}",
                "(?-i)a",
                "(?i)a(?-i)b",
                "(?i:a)b",
                "((?i)a)b",
                "a|(?i)b|c",
                "\\t|\\n|\\\\",
                "\\.|\\[|\\{",
                "}",
                "]",
                "(?U)a+",
                "(?P<name>a)",
                "^\\d{2}:\\d{2}(:\\d{2})?$",
                "\\A\\w+\\z",
                "[\\x61-\\x{63}]",
                "\\_9"
            })
    void shouldFindWhatRe2FindsWhenExpressionsAreOfEveryKind(final String pattern) {
        for (final String text : TEXTS) {
            assertThat(find(pattern, text))
                    .as("%s in %s", pattern, text)
                    .isEqualTo(Pattern.compile(pattern).matcher(text).find());
        }
    }

    @Test
    void shouldFindWhatRe2FindsWhenExpressionsAreRandom() {
        final Random random = new Random(7);
        final int count = 20 * Integer.getInteger("penstock.seeds", 100);
        for (int i = 0; i < count; i++) {
            final String pattern = pattern(random, 3);
            final Pattern oracle = Pattern.compile(pattern);
            final RegexPattern regex = RegexPattern.of(pattern, new Work());
            for (final String text : TEXTS) {
                if (find(regex, text) != oracle.matcher(text).find()) {
                    throw new AssertionError(pattern + " in " + text);
                }
            }
        }
    }

    private static String pattern(final Random random, final int depth) {
        final StringBuilder pattern = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            if (depth > 0 && random.nextInt(4) == 0) {
                pattern.append("(?:").append(pattern(random, depth - 1)).append(')');
                pattern.append(REPEATS[random.nextInt(REPEATS.length)]);
            } else {
                final String atom = ATOMS[random.nextInt(ATOMS.length)];
                pattern.append(atom.startsWith("(?i)") ? "(?:" + atom + ")" : atom);
                pattern.append(REPEATS[random.nextInt(REPEATS.length)]);
            }
            if (random.nextInt(5) == 0) {
                pattern.append('|');
            }
        }
        return pattern.toString();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', textBlock = """
            (                ~ expected ) after 1 characters
            a)               ~ a closing bracket with no opening one after 1 characters
            *a               ~ nothing to repeat after 1 characters
            a**              ~ a repetition of a repetition (use brackets) after 3 characters
            a{2}{3}          ~ a repetition of a repetition (use brackets) after 7 characters
            a{1001}          ~ repeated more than 1000 times after 7 characters
            a{3,2}           ~ repeated at most less than at least after 6 characters
            [a               ~ it ends too early after 2 characters
            [b-a]            ~ a range that ends before it starts after 4 characters
            [[:foo:]]        ~ no such class of characters after 8 characters
            \\p{Foo}         ~ no such class of characters after 7 characters
            \\1              ~ no such escape after 2 characters
            \\y              ~ no such escape after 2 characters
            \\xZ             ~ no such code point after 2 characters
            \\x{110000}      ~ no such code point after 8 characters
            \\x{}            ~ no such code point after 4 characters
            (?=a)            ~ no group of that kind after 3 characters
            (?<=a)           ~ no group of that kind after 3 characters
            (?z)a            ~ no group of that kind after 3 characters
            \\               ~ it ends too early after 1 characters
            """)
    void shouldSayWhatIsWrongWhenNotAnExpression(final String pattern, final String mistake) {
        assertThat(RegexPattern.mistake(pattern.replace("\\\\", "\\")))
                .isEqualTo("not a regular expression: " + mistake);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"(a{1000}){3}", "(((a{30}){30}){30}){30}", "((((((a{1000}){1000}){1000}){1000}){1000}){1000})"})
    void shouldRefuseWhenRepetitionsMultiply(final String pattern) {
        assertThat(RegexPattern.mistake(pattern))
                .isEqualTo("not a regular expression: too large (repetitions count as often as they repeat)");
    }

    @Test
    void shouldRefuseWhenNestedTooDeep() {
        assertThat(RegexPattern.mistake("(".repeat(4000)))
                .startsWith("not a regular expression: nested deeper than 100");
    }

    @Test
    void shouldTakeLinearTimeWhenABacktrackerWouldTakeForEver() {
        final String text = "a".repeat(10_000);
        assertThat(find("(a*)*b", text)).isFalse();
        assertThat(find("(a|a)*b", text)).isFalse();
        assertThat(find("(a|aa)+$", text)).isTrue();
        assertThat(find("(.*)(.*)(.*)(.*)(.*)x", text)).isFalse();
        assertThat(find("(x+x+)+y", "x".repeat(10_000))).isFalse();
    }

    @Test
    void shouldNotLeaveTheTextWhenItIsNotUtf8() {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[] {'a', (byte) 0xE2, (byte) 0x82, 'b', (byte) 0xF0});
        final Register register = new Register();
        register.set(buffer, 0, buffer.capacity());
        assertThat(RegexPattern.of("^a.b.$", new Work()).truth(register)).isEqualTo(Truth.TRUE);
        assertThat(RegexPattern.of("\\p{L}{3}", new Work()).truth(register)).isEqualTo(Truth.FALSE);
        assertThat(RegexPattern.of("\\p{Latin}.\\p{Latin}", new Work()).truth(register)).isEqualTo(Truth.TRUE);
    }
}
