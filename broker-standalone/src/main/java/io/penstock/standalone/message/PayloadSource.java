package io.penstock.standalone.message;

import java.io.IOException;
import org.agrona.DirectBuffer;

/** The messages that a command publishes, one after the other. */
interface PayloadSource {
    /**
     * Moves to the next one.
     *
     * @return false when there are no more.
     */
    boolean next() throws IOException;

    /** Holds the message, until the next one. */
    DirectBuffer buffer();

    int offset();

    int length();

    /** Of the message, from 1: its line, or how many there were. */
    long lineNumber();

    /** How much was taken so far: bytes of a file, or messages. */
    long taken();
}
