package io.penstock.broker.filter.syntax;

/**
 * A piece of a filter's text.
 *
 * @param type  of the piece.
 * @param start of the piece in the text, in characters from 0.
 * @param end   after its last character.
 * @param value a {@link TokenType#WORD}'s spelling, a {@link TokenType#PATH}'s path, a {@link TokenType#TEXT}'s
 *              content, a {@link TokenType#NUMBER}'s node; the type itself otherwise.
 */
record Token(TokenType type, int start, int end, Object value) {
    /** Returns whether this is a word that acts as an operator where the parser looks for one. */
    boolean isWord(final String word) {
        return type == TokenType.WORD && word.equalsIgnoreCase((String) value);
    }
}
