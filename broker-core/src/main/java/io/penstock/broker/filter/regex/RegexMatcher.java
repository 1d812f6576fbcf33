package io.penstock.broker.filter.regex;

import io.penstock.broker.filter.regex.RegexNode.Place;
import io.penstock.broker.filter.regex.RegexProgram.Check;
import io.penstock.broker.filter.regex.RegexProgram.Fork;
import io.penstock.broker.filter.regex.RegexProgram.Instruction;
import io.penstock.broker.filter.regex.RegexProgram.Read;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Runs a {@link RegexProgram} over a text in one pass, in all the places that it may be in at once (Thompson, Regular
 * expression search algorithm, CACM 11, 1968): no instruction is entered twice at one place of the text. The scratch
 * space is allocated beforehand; a matcher belongs to one agent.
 */
public final class RegexMatcher {
    private static final int NO_POINT = -1;
    private static final int ASCII_COUNT = 128;

    private final Instruction[] program;
    private final boolean isAnchored;
    /** Whether a match may start with a code point of ASCII. */
    private final boolean[] isAsciiStart = new boolean[ASCII_COUNT];
    /** Instructions that the code point before led to. */
    private final int[] entries;

    private final int[] readers;
    private final int[] stack;
    private final long[] enteredAt;
    private long step;

    /** Instructions that were entered in all steps. */
    private long enteredCount;

    private int entryCount;
    private int readerCount;

    public RegexMatcher(final RegexProgram program) {
        this.program = program.instructions();
        final int length = this.program.length;
        entries = new int[length];
        readers = new int[length];
        stack = new int[length + 1];
        enteredAt = new long[length];
        isAnchored = this.program[0] instanceof Check check && check.place() == Place.TEXT_START;
        findStarts();
    }

    private void findStarts() {
        boolean canStartAnywhere = false;
        int count = 1;
        step++;
        enteredAt[0] = step;
        stack[0] = 0;
        while (count > 0) {
            final int at = stack[--count];
            final Instruction instruction = program[at];
            if (instruction instanceof Read read) {
                for (int point = 0; point < ASCII_COUNT; point++) {
                    isAsciiStart[point] |= read.set().contains(point);
                }
            } else if (instruction instanceof Fork fork) {
                count = push(fork.first(), count);
                count = push(fork.second(), count);
            } else if (instruction instanceof Check) {
                count = push(at + 1, count);
            } else {
                canStartAnywhere = true;
            }
        }
        if (canStartAnywhere) {
            Arrays.fill(isAsciiStart, true);
        }
    }

    /** Pushes an instruction unless it was entered in this step: the count of those on the stack. */
    private int push(final int instruction, final int count) {
        if (enteredAt[instruction] == step) {
            return count;
        }
        enteredAt[instruction] = step;
        stack[count] = instruction;
        return count + 1;
    }

    /**
     * Looks for a match anywhere in a text.
     *
     * @param enteredMax instructions that may be entered for it.
     * @return whether there is one; false, too, when that was not enough, which {@link #enteredCount()} tells.
     */
    public boolean find(final DirectBuffer text, final int start, final int end, final long enteredMax) {
        enteredCount = 0;
        int at = start;
        int previous = NO_POINT;
        entryCount = 0;
        while (true) {
            if (entryCount == 0 && !isAnchored) {
                final int skipped = skip(text, at, end);
                previous = skipped > at ? text.getByte(skipped - 1) : previous;
                at = skipped;
            }
            final int next = at < end ? Utf8.next(text, at, end) : end;
            final int point = at < end ? Utf8.codePoint(text, at, next) : NO_POINT;
            if (enter(at == start || !isAnchored, previous, point)) {
                return true;
            }
            if (at == end || (readerCount == 0 && isAnchored) || enteredCount > enteredMax) {
                return false;
            }
            read(point);
            previous = point;
            at = next;
        }
    }

    /** Instructions that were entered for the last text: what it cost. */
    public long enteredCount() {
        return enteredCount;
    }

    /** Steps over what no match starts with. */
    private int skip(final DirectBuffer text, final int start, final int end) {
        int at = start;
        while (at < end) {
            final byte value = text.getByte(at);
            if (value < 0 || isAsciiStart[value]) {
                return at;
            }
            at++;
        }
        return at;
    }

    /** Follows all entries up to instructions that read; true when the expression has matched. */
    private boolean enter(final boolean isStart, final int previous, final int point) {
        step++;
        readerCount = 0;
        for (int i = 0; i < entryCount; i++) {
            if (enter(entries[i], previous, point)) {
                return true;
            }
        }
        return isStart && enter(0, previous, point);
    }

    private boolean enter(final int entry, final int previous, final int point) {
        int count = push(entry, 0);
        while (count > 0) {
            final int at = stack[--count];
            enteredCount++;
            final Instruction instruction = program[at];
            if (instruction instanceof Read) {
                readers[readerCount++] = at;
            } else if (instruction instanceof Fork fork) {
                count = push(fork.first(), count);
                count = push(fork.second(), count);
            } else if (instruction instanceof Check check) {
                if (isAt(check.place(), previous, point)) {
                    count = push(at + 1, count);
                }
            } else {
                return true;
            }
        }
        return false;
    }

    private void read(final int point) {
        entryCount = 0;
        for (int i = 0; i < readerCount; i++) {
            final int reader = readers[i];
            if (program[reader] instanceof Read read && read.set().contains(point)) {
                entries[entryCount++] = reader + 1;
            }
        }
    }

    private static boolean isAt(final Place place, final int previous, final int next) {
        return switch (place) {
            case TEXT_START -> previous == NO_POINT;
            case TEXT_END -> next == NO_POINT;
            case LINE_START -> previous == NO_POINT || previous == '\n';
            case LINE_END -> next == NO_POINT || next == '\n';
            case WORD_BOUNDARY -> isWord(previous) != isWord(next);
            case NO_WORD_BOUNDARY -> isWord(previous) == isWord(next);
        };
    }

    private static boolean isWord(final int point) {
        return (point >= '0' && point <= '9')
                || (point >= 'A' && point <= 'Z')
                || (point >= 'a' && point <= 'z')
                || point == '_';
    }
}
