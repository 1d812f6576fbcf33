package io.penstock.broker.shard.match;

import org.jspecify.annotations.Nullable;

/**
 * Parts of subscriptions by their number, and by their client. Nothing here costs more when there are more of them.
 * Confined to one sequencer.
 *
 * @param <P> of one kind.
 */
public final class PartTable<P extends ShardPart<P>> {
    private final NumberTable<P> byNumber = new NumberTable<>();
    private final NumberTable<P> firstOfClient = new NumberTable<>();

    int count() {
        return byNumber.size();
    }

    public boolean isEmpty() {
        return byNumber.isEmpty();
    }

    public void add(final P part) {
        final P before = byNumber.put(part.interest.part(), part);
        assert before == null : part.interest;
        final P first = firstOfClient.put(part.interest.sessionId(), part);
        if (first != null) {
            part.next = first;
            first.previous = part;
        }
    }

    @Nullable
    public P get(final long number) {
        return byNumber.get(number);
    }

    /** Any part of a client; null when it has none. */
    @Nullable
    public P anyOf(final long sessionId) {
        return firstOfClient.get(sessionId);
    }

    public void remove(final P part) {
        byNumber.remove(part.interest.part());
        final P previous = part.previous;
        final P next = part.next;
        if (next != null) {
            next.previous = previous;
        }
        if (previous != null) {
            previous.next = next;
        } else if (next != null) {
            firstOfClient.put(part.interest.sessionId(), next);
        } else {
            firstOfClient.remove(part.interest.sessionId());
        }
        part.previous = null;
        part.next = null;
    }
}
