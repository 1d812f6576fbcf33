package io.penstock.standalone;

import java.util.List;

/**
 * Commands that another jar adds to {@link Main}, found by {@link java.util.ServiceLoader}. Providers are asked only when the
 * first word of the command line is none of the commands of this jar. A provider that cannot be loaded, or has a command of a
 * name that is there, adds nothing more; the other commands work.
 */
public interface CommandProvider {
    /**
     * The commands to add, in the order in which help lists them.
     *
     * @return classes with picocli's annotation {@code Command} and a constructor without parameters.
     */
    List<Class<?>> commands();
}
