package io.penstock.standalone.message;

import io.penstock.client.Message;
import java.io.Closeable;

/** Prints messages. */
interface MessageOutput extends Closeable {
    /** Prints one. */
    void write(Message message);

    /** Shows what was printed so far, where the form allows it. */
    void flush();

    /** Prints what was held back. */
    @Override
    void close();
}
