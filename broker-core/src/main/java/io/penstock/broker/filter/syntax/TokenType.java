package io.penstock.broker.filter.syntax;

/**
 * The type of a piece of a filter's text. Words that are not reserved are {@link #WORD} even where they act as
 * operators.
 */
enum TokenType {
    WORD("a name"),
    PATH("a path"),
    TEXT("a text"),
    NUMBER("a number"),
    AND("AND"),
    OR("OR"),
    NOT("NOT"),
    BETWEEN("BETWEEN"),
    IN("IN"),
    LIKE("LIKE"),
    ESCAPE("ESCAPE"),
    IS("IS"),
    NULL("NULL"),
    TRUE("TRUE"),
    FALSE("FALSE"),
    EQUAL("="),
    NOT_EQUAL("<>"),
    LESS("<"),
    LESS_OR_EQUAL("<="),
    GREATER(">"),
    GREATER_OR_EQUAL(">="),
    PLUS("+"),
    MINUS("-"),
    CONCATENATE("||"),
    MULTIPLY("*"),
    DIVIDE("/"),
    REMAINDER("%"),
    OPEN("("),
    CLOSE(")"),
    COMMA(","),
    END("the end");

    private final String description;

    TokenType(final String description) {
        this.description = description;
    }

    /** The name in error messages; for keywords and operators their spelling. */
    String description() {
        return description;
    }

    boolean isKeyword() {
        return switch (this) {
            case AND, OR, NOT, BETWEEN, IN, LIKE, ESCAPE, IS, NULL, TRUE, FALSE -> true;
            default -> false;
        };
    }
}
