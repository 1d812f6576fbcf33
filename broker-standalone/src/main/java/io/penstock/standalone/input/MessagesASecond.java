package io.penstock.standalone.input;

import io.penstock.standalone.CommandFailure;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a rate that can only be one of messages, for options that are numbers: {@code 1000/s}. */
public final class MessagesASecond implements ITypeConverter<Double> {
    /** Made by the command line. */
    public MessagesASecond() {}

    @Override
    public Double convert(final String value) {
        try {
            return Rate.parse("--rate", value, Set.of(Rate.Kind.MESSAGES)).amount();
        } catch (final CommandFailure e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
