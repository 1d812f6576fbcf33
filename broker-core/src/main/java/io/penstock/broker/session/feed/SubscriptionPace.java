package io.penstock.broker.session.feed;

import io.penstock.broker.shard.match.Rate;

/** How fast a subscription may go: paused or not, on credit or not, at a rate. Confined to the client's I/O agent. */
public final class SubscriptionPace {
    private long deliveryCount;
    /** Most credit that a subscription can have: more is not added. */
    private static final long CREDIT_MAX = 1L << 60;

    private Rate rate = Rate.UNLIMITED;
    private boolean isPaused;
    private boolean isAwaitingState;
    private boolean isOnCredit;
    private int turn;

    /** What may still be sent, in bytes; negative when the last message has taken more than there was. */
    private long credit = Long.MAX_VALUE;

    /** Its highest rate. */
    public Rate rate() {
        return rate;
    }

    /** The same, from now on. */
    public void rate(final Rate value) {
        rate = value;
    }

    /** Whether its client has paused it. */
    public boolean isPaused() {
        return isPaused;
    }

    /** Nothing more is sent, until it is resumed. */
    public void pause() {
        isPaused = true;
    }

    /** It is paused no longer. */
    public void resume() {
        isPaused = false;
    }

    /** Whether no message is sent before its state was sent again. */
    public boolean isAwaitingState() {
        return isAwaitingState;
    }

    /** The same, from now on. */
    public void isAwaitingState(final boolean value) {
        isAwaitingState = value;
    }

    /** Whether nothing is sent, however much credit there is. */
    public boolean isStopped() {
        return isPaused || isAwaitingState;
    }

    /** From now on only that is sent which it is given credit for. */
    public void beginOnCredit() {
        isOnCredit = true;
        credit = 0;
    }

    /** It needs no credit any more. */
    public void endCredit() {
        isOnCredit = false;
        credit = Long.MAX_VALUE;
    }

    /** Whether only that is sent which it is given credit for. */
    public boolean isOnCredit() {
        return isOnCredit;
    }

    /** Grants more bytes. */
    public void giveCredit(final long length) {
        credit = length >= CREDIT_MAX - credit ? CREDIT_MAX : credit + length;
    }

    /** Whether something may still be sent. */
    public boolean hasCredit() {
        return credit > 0;
    }

    /** What may still be sent, in bytes; negative when the last message has taken more than there was. */
    public long credit() {
        return credit;
    }

    /** Counts sent bytes, with the padding of the last record. */
    public void spend(final int length) {
        if (isOnCredit) {
            credit -= length;
        }
    }

    /** Whether nothing may be sent for now. */
    public boolean isHeldBack() {
        return isStopped() || credit <= 0;
    }

    /** Which of its feeds goes on first when there is credit, so that each shard has its turn. */
    public int turn() {
        return turn;
    }

    /** The same, from now on. */
    public void turn(final int value) {
        turn = value;
    }

    /** More messages were sent. */
    void onDelivered(final int count) {
        deliveryCount += count;
    }

    /** Messages that were sent. */
    long deliveryCount() {
        return deliveryCount;
    }
}
