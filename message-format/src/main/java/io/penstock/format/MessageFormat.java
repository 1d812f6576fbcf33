package io.penstock.format;

import org.jspecify.annotations.Nullable;

/** A message format. Found with {@link java.util.ServiceLoader}; a new one touches nothing but its own classes. */
public interface MessageFormat {
    /**
     * The name that topics and commands give.
     *
     * @return lower case, for example {@code json}.
     */
    String name();

    /**
     * Makes a validator.
     *
     * @return a validator owned by the caller's agent.
     */
    MessageValidator newValidator();

    /**
     * Makes a reader of some fields.
     *
     * @param fields to be read, which may not grow afterwards.
     * @return a reader owned by the caller's agent.
     */
    FieldReader newReader(FieldSet fields);

    /**
     * Makes a reader of fields that come and go.
     *
     * @return a reader of no fields so far, owned by the caller's agent.
     */
    GrowableReader newReader();

    /**
     * Whether messages of the format have fields, so that there are an editor and a writer.
     *
     * @return true when they have.
     */
    default boolean hasFields() {
        return false;
    }

    /**
     * Makes an editor.
     *
     * @return an editor owned by the caller's agent, or null when messages of the format have no fields.
     */
    default @Nullable MessageEditor newEditor() {
        return null;
    }

    /**
     * Makes a writer.
     *
     * @return a writer owned by the caller's agent, or null when messages of the format have no fields.
     */
    default @Nullable MessageWriter newWriter() {
        return null;
    }
}
