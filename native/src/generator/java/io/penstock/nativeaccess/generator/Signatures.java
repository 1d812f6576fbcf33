package io.penstock.nativeaccess.generator;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The list of what the native library offers.
 *
 * @param functions in the order of the list.
 * @param constants in the order of the list.
 */
record Signatures(List<Function> functions, List<Constant> constants) {
    private static final Pattern FUNCTION = Pattern.compile("(int32|int64) ([a-z][a-z0-9_]*)\\(([^)]*)\\) - (.+)");
    private static final Pattern CONSTANT = Pattern.compile("constant ([A-Z][A-Z0-9_]*) ([0-9]+) - (.+)");
    private static final Pattern PARAMETER = Pattern.compile("(int32|int64) ([a-z][a-z0-9_]*)");
    private static final String COMMENT = "#";

    /** The types that may cross, and what they are called. */
    enum Type {
        INT32("int32_t", "int"),
        INT64("int64_t", "long");

        final String c;
        final String java;

        Type(final String c, final String java) {
            this.c = c;
            this.java = java;
        }

        static Type of(final String name) {
            return name.equals("int32") ? INT32 : INT64;
        }
    }

    /** A parameter; the name is in C's form. */
    record Parameter(Type type, String name) {
        String javaName() {
            return camelCase(name);
        }
    }

    /** A function; the name is in C's form, without the library's prefix. */
    record Function(Type result, String name, List<Parameter> parameters, String text) {
        String cName() {
            return "penstock_" + name;
        }

        String javaName() {
            return camelCase(name);
        }
    }

    /** A number that both sides know. */
    record Constant(String name, int value, String text) {}

    /**
     * Reads a list.
     *
     * @param lines of the list.
     * @return what they say.
     * @throws IllegalArgumentException naming the line that is wrong.
     */
    static Signatures parse(final List<String> lines) {
        final List<Function> functions = new ArrayList<>();
        final List<Constant> constants = new ArrayList<>();
        final Set<String> names = new HashSet<>();
        int next = 0;
        while (next < lines.size()) {
            final int number = next + 1;
            final StringBuilder entry = new StringBuilder(lines.get(next++).stripTrailing());
            if (entry.isEmpty() || lines.get(number - 1).startsWith(COMMENT)) {
                continue;
            }
            while (next < lines.size() && lines.get(next).startsWith(" ")) {
                entry.append(' ').append(lines.get(next++).strip());
            }
            final Matcher constant = CONSTANT.matcher(entry);
            final String name;
            if (constant.matches()) {
                name = constant.group(1);
                constants.add(new Constant(name, Integer.parseInt(constant.group(2)), constant.group(3)));
            } else {
                final Function function = function(entry.toString(), number);
                name = function.name();
                functions.add(function);
            }
            if (!names.add(name)) {
                throw wrong(number, "named twice: " + name);
            }
        }
        return new Signatures(List.copyOf(functions), List.copyOf(constants));
    }

    /** A number that is another one whenever the two sides would misunderstand each other. */
    int version() {
        final StringBuilder all = new StringBuilder();
        constants.forEach(
                each -> all.append(each.name()).append(' ').append(each.value()).append('\n'));
        for (final Function function : functions) {
            all.append(function.result()).append(' ').append(function.name());
            function.parameters()
                    .forEach(each ->
                            all.append(' ').append(each.type()).append(' ').append(each.name()));
            all.append('\n');
        }
        final CRC32 sum = new CRC32();
        sum.update(all.toString().getBytes(StandardCharsets.US_ASCII));
        return (int) (sum.getValue() >>> 1);
    }

    private static Function function(final String entry, final int number) {
        final Matcher function = FUNCTION.matcher(entry);
        if (!function.matches()) {
            throw wrong(number, "neither a function nor a constant: " + entry);
        }
        final List<Parameter> parameters = new ArrayList<>();
        if (!function.group(3).isEmpty()) {
            for (final String text : function.group(3).split(", ", -1)) {
                final Matcher parameter = PARAMETER.matcher(text);
                if (!parameter.matches()) {
                    throw wrong(number, "not a parameter: " + text + " (use for example int64 address)");
                }
                parameters.add(new Parameter(Type.of(parameter.group(1)), parameter.group(2)));
            }
        }
        return new Function(Type.of(function.group(1)), function.group(2), List.copyOf(parameters), function.group(4));
    }

    private static IllegalArgumentException wrong(final int line, final String what) {
        return new IllegalArgumentException("signatures.txt:" + line + ": " + what);
    }

    private static String camelCase(final String name) {
        final StringBuilder camelCase = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) != '_') {
                final boolean begins = i > 0 && name.charAt(i - 1) == '_';
                camelCase.append(begins ? Character.toUpperCase(name.charAt(i)) : name.charAt(i));
            }
        }
        return camelCase.toString();
    }
}
