package io.penstock.broker.filter.syntax;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldPath.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Splits a filter's text into tokens on demand. Whether a slash starts a path or divides depends on what the parser
 * waits for, an operand or an operator, so it asks for one or the other.
 */
final class Lexer {
    private static final Map<String, TokenType> KEYWORDS = Stream.of(TokenType.values())
            .filter(TokenType::isKeyword)
            .collect(Collectors.toMap(TokenType::description, Function.identity()));

    private final SourceText source;
    private final int tokenCountMax;
    private int index;
    private int tokenCount;

    Lexer(final SourceText source, final int tokenCountMax) {
        this.source = source;
        this.tokenCountMax = tokenCountMax;
    }

    /** The next token where an operand may start. */
    Token operand() {
        begin();
        final char first = source.at(index);
        if (isDigit(first) || (first == '.' && isDigit(source.at(index + 1)))) {
            return number();
        }
        return switch (first) {
            case '\'' -> text();
            case '"', '/' -> path(index);
            case '[' -> bracketedPath();
            default -> isNameStart(codePoint()) ? word() : symbol();
        };
    }

    /** The next token where an operator may stand; an operand found there is left to the parser to refuse. */
    Token operator() {
        begin();
        return switch (source.at(index)) {
            case '\'' -> text();
            case '"' -> path(index);
            case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> isNameStart(codePoint()) ? word() : symbol();
        };
    }

    private void begin() {
        while (index < source.length() && Character.isWhitespace(source.at(index))) {
            index++;
        }
        tokenCount++;
        if (tokenCount > tokenCountMax) {
            throw source.refused("more than " + tokenCountMax + " words and signs", index, index + 1);
        }
    }

    private int codePoint() {
        return index < source.length() ? source.text().codePointAt(index) : 0;
    }

    private static boolean isDigit(final char character) {
        return character >= '0' && character <= '9';
    }

    private static boolean isNameStart(final int codePoint) {
        return Character.isJavaIdentifierStart(codePoint);
    }

    private static boolean isNamePart(final int codePoint) {
        return Character.isJavaIdentifierPart(codePoint) && !Character.isIdentifierIgnorable(codePoint);
    }

    /** Returns whether a field's name can stand by itself without quotes. */
    static boolean isName(final String name) {
        return !name.isEmpty()
                && isNameStart(name.codePointAt(0))
                && name.codePoints().allMatch(Lexer::isNamePart)
                && !KEYWORDS.containsKey(name.toUpperCase(Locale.ROOT));
    }

    /** Returns whether a field's name can stand in a path without quotes. */
    static boolean isPathName(final String name) {
        final String rest = name.startsWith("@") ? name.substring(1) : name;
        return !rest.isEmpty()
                && name.charAt(0) != ':'
                && rest.codePoints().allMatch(point -> isNamePart(point) || point == ':');
    }

    private Token number() {
        final int start = index;
        final NumberScanner scanner = new NumberScanner(source, start);
        final Node value = scanner.scan();
        index = scanner.end();
        if (isNamePart(codePoint())) {
            throw source.refused("a number runs into a name", start, index + Character.charCount(codePoint()));
        }
        return new Token(TokenType.NUMBER, start, index, value);
    }

    private Token text() {
        final int start = index;
        final String value = quoted('\'', "the closing ' of a text");
        return new Token(TokenType.TEXT, start, index, value);
    }

    /** Reads from the opening quote past the closing one; two quotes stand for one. */
    private String quoted(final char quote, final String expectation) {
        final int start = index;
        final StringBuilder value = new StringBuilder();
        for (index = start + 1; index < source.length(); index++) {
            if (source.at(index) == quote) {
                index++;
                if (source.at(index) != quote) {
                    return value.toString();
                }
            }
            value.append(source.at(index));
        }
        throw source.expected(expectation, source.length(), source.length());
    }

    private Token word() {
        final int start = index;
        final String name = name();
        final TokenType keyword = KEYWORDS.get(name.toUpperCase(Locale.ROOT));
        if (keyword != null) {
            return new Token(keyword, start, index, keyword);
        }
        if (source.at(index) == '.') {
            throw source.refused("a name has no dots (write /a/b for a field within a, or \"a.b\")", index, index + 1);
        }
        if (source.at(index) == '[') {
            return new Token(TokenType.PATH, start, index, new FieldPath(List.of(new Step(name, subscript()))));
        }
        return new Token(TokenType.WORD, start, index, name);
    }

    private String name() {
        final int start = index;
        while (isNamePart(codePoint())) {
            index += Character.charCount(codePoint());
        }
        return source.text().substring(start, index);
    }

    /** A path from the root, {@code /order/"odd name"[3]/@id}, or a single quoted name. */
    private Token path(final int start) {
        final List<Step> steps = new ArrayList<>();
        if (source.at(index) == '"') {
            steps.add(step());
        }
        while (source.at(index) == '/') {
            index++;
            steps.add(step());
        }
        return new Token(TokenType.PATH, start, index, new FieldPath(steps));
    }

    private Step step() {
        final int start = index;
        final String name = source.at(index) == '"' ? quoted('"', "the closing \" of a name") : pathName();
        if (name.isEmpty()) {
            throw source.expected("a field's name", start, start + 1);
        }
        return new Step(name, source.at(index) == '[' ? subscript() : Step.NO_INDEX);
    }

    /** Attributes start with an at sign, tags of FIX with a digit, and names of XML may have a prefix with a colon. */
    private String pathName() {
        final int start = index;
        if (source.at(index) == '@') {
            index++;
        }
        while (isNamePart(codePoint()) || (source.at(index) == ':' && index > start)) {
            index += Character.charCount(codePoint());
        }
        return source.text().substring(start, index);
    }

    private int subscript() {
        final int start = ++index;
        while (isDigit(source.at(index))) {
            index++;
        }
        if (index == start || source.at(index) != ']') {
            throw source.expected("an element's number and ]", start, Math.max(index, start + 1));
        }
        final int value;
        try {
            value = Integer.parseInt(source.text().substring(start, index));
        } catch (final NumberFormatException e) {
            throw source.refused("too large for an element's number", start, index);
        }
        index++;
        if (source.at(index) == '[') {
            throw source.refused("an array within an array has no elements to read", index, index + 1);
        }
        return value;
    }

    /** {@code [/Not A Name/data[0]]}: steps run to the next slash or the closing bracket. */
    private Token bracketedPath() {
        final int start = index++;
        if (source.at(index) != '/') {
            throw source.expected("a path, as in [/Not A Name],", index, index + 1);
        }
        final List<Step> steps = new ArrayList<>();
        while (source.at(index) == '/') {
            final int nameStart = ++index;
            while (index < source.length() && "/[]".indexOf(source.at(index)) < 0) {
                index++;
            }
            if (index == nameStart) {
                throw source.expected("a field's name", index, index + 1);
            }
            final String name = source.text().substring(nameStart, index);
            steps.add(new Step(name, source.at(index) == '[' ? subscript() : Step.NO_INDEX));
        }
        if (source.at(index) != ']') {
            throw source.expected("the closing ] of a path", index, index + 1);
        }
        index++;
        return new Token(TokenType.PATH, start, index, new FieldPath(steps));
    }

    private Token symbol() {
        final int start = index;
        final TokenType type = symbolType(source.at(index), source.at(index + 1));
        index = type == TokenType.END ? start : start + (isLong(type) ? 2 : 1);
        return new Token(type, start, index, type);
    }

    private static boolean isLong(final TokenType type) {
        return switch (type) {
            case NOT_EQUAL, LESS_OR_EQUAL, GREATER_OR_EQUAL, CONCATENATE -> true;
            default -> false;
        };
    }

    private TokenType symbolType(final char first, final char second) {
        return switch (first) {
            case '=' -> TokenType.EQUAL;
            case '<' -> lessType(second);
            case '>' -> second == '=' ? TokenType.GREATER_OR_EQUAL : TokenType.GREATER;
            case '+' -> TokenType.PLUS;
            case '-' -> TokenType.MINUS;
            case '*' -> TokenType.MULTIPLY;
            case '/' -> TokenType.DIVIDE;
            case '%' -> TokenType.REMAINDER;
            case '(' -> TokenType.OPEN;
            case ')' -> TokenType.CLOSE;
            case ',' -> TokenType.COMMA;
            default -> rareSymbolType(first, second);
        };
    }

    private static TokenType lessType(final char second) {
        return switch (second) {
            case '>' -> TokenType.NOT_EQUAL;
            case '=' -> TokenType.LESS_OR_EQUAL;
            default -> TokenType.LESS;
        };
    }

    private TokenType rareSymbolType(final char first, final char second) {
        if (index == source.length()) {
            return TokenType.END;
        }
        if (first == '!' && second == '=') {
            return TokenType.NOT_EQUAL;
        }
        if (first == '|' && second == '|') {
            return TokenType.CONCATENATE;
        }
        throw source.refused("not a sign of the language", index, index + Character.charCount(codePoint()));
    }
}
