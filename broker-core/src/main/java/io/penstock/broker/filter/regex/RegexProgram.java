package io.penstock.broker.filter.regex;

import io.penstock.broker.filter.regex.RegexNode.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * A regular expression as a non-deterministic automaton: each instruction reads a code point, asks about the place, or
 * goes on in one or two places. Its length is bounded, and with it the time that a code point of a text takes.
 */
public final class RegexProgram {
    static final int LENGTH_MAX = 2000;

    private final List<Instruction> instructions = new ArrayList<>();

    private RegexProgram() {}

    public static RegexProgram of(final RegexNode node) throws RegexException {
        final RegexProgram program = new RegexProgram();
        program.emit(node);
        program.append(new Found());
        return program;
    }

    Instruction[] instructions() {
        return instructions.toArray(new Instruction[0]);
    }

    private int append(final Instruction instruction) throws RegexException {
        if (instructions.size() == LENGTH_MAX) {
            throw new RegexException("too large (repetitions count as often as they repeat)");
        }
        instructions.add(instruction);
        return instructions.size() - 1;
    }

    private void emit(final RegexNode node) throws RegexException {
        if (node instanceof RegexNode.OneOf oneOf) {
            append(new Read(oneOf.set()));
        } else if (node instanceof RegexNode.At at) {
            append(new Check(at.place()));
        } else if (node instanceof RegexNode.Sequence sequence) {
            for (final RegexNode part : sequence.parts()) {
                emit(part);
            }
        } else if (node instanceof RegexNode.Choice choice) {
            emitChoice(choice.parts());
        } else if (node instanceof RegexNode.Repeat repeat) {
            emitRepeat(repeat);
        }
    }

    private void emitChoice(final List<RegexNode> parts) throws RegexException {
        final List<Fork> exits = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            final boolean isLast = i == parts.size() - 1;
            final Fork fork = new Fork();
            if (!isLast) {
                fork.first = append(fork) + 1;
            }
            emit(parts.get(i));
            if (!isLast) {
                final Fork exit = new Fork();
                append(exit);
                exits.add(exit);
                fork.second = instructions.size();
            }
        }
        for (final Fork exit : exits) {
            exit.first = instructions.size();
            exit.second = instructions.size();
        }
    }

    private void emitRepeat(final RegexNode.Repeat repeat) throws RegexException {
        for (int i = 0; i < repeat.countMin(); i++) {
            emit(repeat.part());
        }
        if (repeat.countMax() == RegexNode.Repeat.UNLIMITED) {
            final Fork loop = new Fork();
            final int start = append(loop);
            loop.first = start + 1;
            emit(repeat.part());
            final Fork back = new Fork();
            append(back);
            back.first = start;
            back.second = start;
            loop.second = instructions.size();
            return;
        }
        final List<Fork> forks = new ArrayList<>();
        for (int i = repeat.countMin(); i < repeat.countMax(); i++) {
            final Fork fork = new Fork();
            fork.first = append(fork) + 1;
            forks.add(fork);
            emit(repeat.part());
        }
        for (final Fork fork : forks) {
            fork.second = instructions.size();
        }
    }

    /** One step of the automaton; all but {@link Fork} go on behind themselves. */
    sealed interface Instruction {}

    /** Reads a code point of a set. */
    record Read(CodePointSet set) implements Instruction {}

    /** Goes on only at a place. */
    record Check(Place place) implements Instruction {}

    /** The whole expression has matched. */
    record Found() implements Instruction {}

    /** Goes on in two places, which may be the same. */
    static final class Fork implements Instruction {
        private int first;
        private int second;

        int first() {
            return first;
        }

        int second() {
            return second;
        }
    }
}
