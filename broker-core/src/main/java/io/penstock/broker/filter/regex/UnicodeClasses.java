package io.penstock.broker.filter.regex;

import java.lang.Character.UnicodeScript;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of general categories, scripts, and POSIX classes that regular expressions know. */
final class UnicodeClasses {
    private static final Map<String, Integer> CATEGORIES = Map.ofEntries(
            category("Lu", Character.UPPERCASE_LETTER),
            category("Ll", Character.LOWERCASE_LETTER),
            category("Lt", Character.TITLECASE_LETTER),
            category("Lm", Character.MODIFIER_LETTER),
            category("Lo", Character.OTHER_LETTER),
            category("Mn", Character.NON_SPACING_MARK),
            category("Me", Character.ENCLOSING_MARK),
            category("Mc", Character.COMBINING_SPACING_MARK),
            category("Nd", Character.DECIMAL_DIGIT_NUMBER),
            category("Nl", Character.LETTER_NUMBER),
            category("No", Character.OTHER_NUMBER),
            category("Zs", Character.SPACE_SEPARATOR),
            category("Zl", Character.LINE_SEPARATOR),
            category("Zp", Character.PARAGRAPH_SEPARATOR),
            category("Cc", Character.CONTROL),
            category("Cf", Character.FORMAT),
            category("Co", Character.PRIVATE_USE),
            category("Cs", Character.SURROGATE),
            category("Pd", Character.DASH_PUNCTUATION),
            category("Ps", Character.START_PUNCTUATION),
            category("Pe", Character.END_PUNCTUATION),
            category("Pc", Character.CONNECTOR_PUNCTUATION),
            category("Po", Character.OTHER_PUNCTUATION),
            category("Pi", Character.INITIAL_QUOTE_PUNCTUATION),
            category("Pf", Character.FINAL_QUOTE_PUNCTUATION),
            category("Sm", Character.MATH_SYMBOL),
            category("Sc", Character.CURRENCY_SYMBOL),
            category("Sk", Character.MODIFIER_SYMBOL),
            category("So", Character.OTHER_SYMBOL));

    private static final Map<String, int[]> POSIX = Map.ofEntries(
            Map.entry("alnum", new int[] {'0', '9', 'A', 'Z', 'a', 'z'}),
            Map.entry("alpha", new int[] {'A', 'Z', 'a', 'z'}),
            Map.entry("ascii", new int[] {0, 0x7F}),
            Map.entry("blank", new int[] {'\t', '\t', ' ', ' '}),
            Map.entry("cntrl", new int[] {0, 0x1F, 0x7F, 0x7F}),
            Map.entry("digit", new int[] {'0', '9'}),
            Map.entry("graph", new int[] {'!', '~'}),
            Map.entry("lower", new int[] {'a', 'z'}),
            Map.entry("print", new int[] {' ', '~'}),
            Map.entry("punct", new int[] {'!', '/', ':', '@', '[', '`', '{', '~'}),
            Map.entry("space", new int[] {'\t', '\r', ' ', ' '}),
            Map.entry("upper", new int[] {'A', 'Z'}),
            Map.entry("word", new int[] {'0', '9', 'A', 'Z', '_', '_', 'a', 'z'}),
            Map.entry("xdigit", new int[] {'0', '9', 'A', 'F', 'a', 'f'}));

    private static final int[] DIGITS = {'0', '9'};
    private static final int[] SPACES = {'\t', '\n', '\f', '\r', ' ', ' '};
    private static final int[] WORDS = {'0', '9', 'A', 'Z', '_', '_', 'a', 'z'};

    private UnicodeClasses() {}

    private static Map.Entry<String, Integer> category(final String name, final byte type) {
        return Map.entry(name, 1 << type);
    }

    /** The bounds of a POSIX class in pairs, or null. */
    static int @Nullable [] posix(final String name) {
        return POSIX.get(name);
    }

    /** The bounds of what an escape of Perl stands for, in pairs, or null. */
    static int @Nullable [] perl(final int letter) {
        return switch (letter) {
            case 'd', 'D' -> DIGITS;
            case 's', 'S' -> SPACES;
            case 'w', 'W' -> WORDS;
            default -> null;
        };
    }

    /** Adds a category, a group of categories by its first letter, or a script; false when there is none of the name. */
    static boolean add(final String name, final boolean isNegated, final CodePointSet set) {
        if (name.equals("Any")) {
            if (!isNegated) {
                set.add(0, Integer.MAX_VALUE);
            }
            return true;
        }
        int mask = 0;
        for (final Map.Entry<String, Integer> category : CATEGORIES.entrySet()) {
            if (category.getKey().equals(name)
                    || (name.length() == 1 && category.getKey().startsWith(name))) {
                mask |= category.getValue();
            }
        }
        if (mask != 0) {
            set.addCategories(mask, isNegated);
            return true;
        }
        try {
            set.addScript(UnicodeScript.forName(name), isNegated);
            return true;
        } catch (final IllegalArgumentException e) {
            return false;
        }
    }
}
