package io.penstock.broker.filter.syntax;

import io.penstock.format.FieldPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads lists of values between commas: {@code origin, AVG(delay) AS mean}. */
public final class SelectParser {
    private static final String AS = "AS";

    private final SourceText source;
    private final boolean isSelect;
    private final Parser parser;

    /**
     * Prepares to read a text.
     *
     * @param isSelect whether it is a select list, with aggregates and names, or a group by without.
     */
    public SelectParser(final SourceText source, final FilterLimits limits, final boolean isSelect) {
        this.source = source;
        this.isSelect = isSelect;
        this.parser = new Parser(source, limits, false, isSelect);
    }

    /** Reads the whole text. */
    public List<Item> parse() {
        final List<Item> items = new ArrayList<>();
        while (true) {
            parser.requireRoom(items);
            items.add(item());
            if (parser.next().type() == TokenType.END) {
                return items;
            }
            if (parser.next().type() != TokenType.COMMA) {
                throw parser.unexpected("an operator, " + (isSelect ? "AS, " : "") + "a comma or the end");
            }
            parser.operandNext();
        }
    }

    private Item item() {
        final int start = parser.next().start();
        final Node value = parser.value().node();
        final int end = parser.next().start();
        if (isSelect && parser.next().isWord(AS)) {
            parser.operandNext();
            return new Item(value, name(), start, parser.next().start());
        }
        return new Item(value, null, start, end);
    }

    private String name() {
        final Token token = parser.next();
        final String name;
        if (token.type() == TokenType.WORD) {
            name = (String) token.value();
        } else if (token.type() == TokenType.PATH && source.at(token.start()) == '"') {
            name = name(token, (FieldPath) token.value());
        } else {
            throw parser.unexpected("a name");
        }
        parser.operatorNext();
        return name;
    }

    private String name(final Token token, final FieldPath path) {
        final FieldPath.Step step = path.steps().get(0);
        if (path.steps().size() > 1 || step.index() != FieldPath.Step.NO_INDEX) {
            throw source.expected("a name", token.start(), token.end());
        }
        return step.name();
    }

    /**
     * An item of a list.
     *
     * @param value what it is.
     * @param alias the name it was given, or null.
     * @param start of the item in the text, in characters from 0.
     * @param end   after its last character.
     */
    public record Item(Node value, @Nullable String alias, int start, int end) {
        /** The name of what it writes: unless it was given one, the field's own, else the text of the value. */
        public String name() {
            if (alias != null) {
                return alias;
            }
            if (value instanceof Node.Field field) {
                final List<FieldPath.Step> steps = field.path().steps();
                return steps.get(steps.size() - 1).name();
            }
            return CanonicalText.of(value);
        }

        public String text() {
            final String text = CanonicalText.of(value);
            final String name = name();
            return alias == null || name.equals(new Item(value, null, start, end).name())
                    ? text
                    : text + " AS " + CanonicalText.ofName(name);
        }
    }
}
