package io.penstock.broker.journal;

/** A user of pages. Confined to the agent that reads files. */
public abstract class PageHolder {
    private int pageCount;

    /**
     * How many pages it has.
     *
     * @return count.
     */
    protected int pageCount() {
        return pageCount;
    }

    void onTaken() {
        pageCount++;
    }

    void onPutBack() {
        pageCount--;
    }
}
