package io.penstock.broker.query;

import io.penstock.broker.filter.Expression;
import io.penstock.broker.filter.SelectSyntax;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.MessageFormat;
import io.penstock.format.RecordReader;
import org.agrona.DirectBuffer;

/** Takes from a message the key of its group and the arguments of the aggregates. */
final class MessageValues {
    private final Expression[] groups;
    private final Expression[] arguments;
    private final FieldSet fields = new FieldSet();
    private final FieldReader reader;
    private final GroupKey key = new GroupKey();

    MessageValues(final SelectSyntax syntax, final MessageFormat format) {
        groups = new Expression[syntax.groupCount()];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = syntax.newGroup(i, fields);
        }
        arguments = new Expression[syntax.argumentCount()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = syntax.newArgument(i, fields);
        }
        reader = RecordReader.of(format, fields);
    }

    /** The fields that are read. */
    FieldSet fields() {
        return fields;
    }

    /** Gives the headers of the message that comes next; without this call it has none. */
    void headers(final DirectBuffer buffer, final int offset, final int length) {
        reader.headers(buffer, offset, length);
    }

    /** Moves to a message and returns its key. */
    GroupKey key(final DirectBuffer message, final int offset, final int length) {
        reader.wrap(message, offset, length);
        return key(reader);
    }

    /** The key of what a reader of {@link #fields} is at. */
    GroupKey key(final FieldReader row) {
        key.clear();
        for (final Expression group : groups) {
            group.evaluate(row);
            key.append(group);
        }
        return key;
    }

    /** Computes the arguments of the message that the key was taken of. */
    Expression[] arguments() {
        return arguments(reader);
    }

    /** Computes an argument of what a reader of {@link #fields} is at. */
    Expression argument(final int index, final FieldReader row) {
        arguments[index].evaluate(row);
        return arguments[index];
    }

    /** Computes the arguments of what a reader of {@link #fields} is at. */
    Expression[] arguments(final FieldReader row) {
        for (final Expression argument : arguments) {
            argument.evaluate(row);
        }
        return arguments;
    }
}
