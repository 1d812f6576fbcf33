package io.penstock.broker.filter.syntax;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Orders a list whose items stand for the same in any order: literals first, each once. */
final class CanonicalList {
    private static final Comparator<Node> ORDER =
            Comparator.comparingInt(CanonicalList::rank).thenComparing(CanonicalText::of);

    private CanonicalList() {}

    static List<Node> of(final List<Node> items) {
        final List<Node> result = new ArrayList<>();
        items.stream()
                .filter(ConstantFolder::isLiteral)
                .distinct()
                .sorted(ORDER)
                .forEach(result::add);
        items.stream().filter(item -> !ConstantFolder.isLiteral(item)).forEach(result::add);
        return List.copyOf(result);
    }

    private static int rank(final Node literal) {
        return literal instanceof Node.BooleanLiteral ? 0 : literal instanceof Node.TextLiteral ? 2 : 1;
    }
}
