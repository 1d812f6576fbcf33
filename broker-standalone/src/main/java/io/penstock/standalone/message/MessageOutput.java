package io.penstock.standalone.message;

import io.penstock.client.Message;
import java.io.Closeable;
import java.io.IOException;

/** Prints messages. */
interface MessageOutput extends Closeable {
    /** Prints one. */
    void write(Message message) throws IOException;

    /** Shows what was printed so far, where the form allows it. */
    void flush() throws IOException;
}
