package io.penstock.broker.shard.store;

/** What readers have made of a store's rows and keep beside them. It goes with the store. */
public interface StoreAttachment {
    /**
     * Gives some memory back. Called by the writer, once no reader has the store any more, until nothing is left.
     *
     * @param limit count of pieces.
     * @return count of pieces that were given back; less than the limit when nothing is left. The limit may also say that somebody
     *     is at work there, and that it is to be called again.
     */
    int free(int limit);
}
