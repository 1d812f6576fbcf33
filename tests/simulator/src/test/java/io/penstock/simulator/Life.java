package io.penstock.simulator;

/** One run of a broker, from its start to its end. What it does after its end has no effect on anybody. */
final class Life {
    private boolean ended;

    boolean isEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }
}
