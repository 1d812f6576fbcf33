package io.penstock.standalone.serve;

import java.util.concurrent.atomic.AtomicReference;

/** A process that says whether it is told of SIGHUP. */
final class HangupCheck {
    private HangupCheck() {}

    @SuppressWarnings("SystemOut") // Is read by the test.
    public static void main(final String[] args) {
        System.out.println("handled " + Hangup.handle(new AtomicReference<>()));
    }
}
