package io.penstock.standalone.config;

import io.penstock.broker.config.ConfigException;
import io.penstock.broker.config.ConfigValue.Scalar;
import io.penstock.broker.config.WholeNumbers;
import io.penstock.standalone.CommandFailure;

/** Reads numbers of bytes on the command line, as a configuration file has them. */
public final class ByteCount {
    private ByteCount() {}

    /**
     * Reads one.
     *
     * @param option that it was given with.
     * @param text   a whole number, which may end in KiB, MiB or GiB.
     * @return bytes.
     */
    public static long parse(final String option, final String text) {
        try {
            return WholeNumbers.parse(new Scalar(text, option), option);
        } catch (final ConfigException e) {
            throw CommandFailure.badInput(String.valueOf(e.getMessage()));
        }
    }
}
