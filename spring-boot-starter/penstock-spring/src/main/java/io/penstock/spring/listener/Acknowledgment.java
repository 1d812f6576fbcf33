package io.penstock.spring.listener;

/** Says that a message, or all of a batch, is processed. An argument of listeners with {@link AckMode#MANUAL}. */
@FunctionalInterface
public interface Acknowledgment {
    /** The program is done with it. Any thread may call it, in any order; calls after the first do nothing. */
    void acknowledge();
}
