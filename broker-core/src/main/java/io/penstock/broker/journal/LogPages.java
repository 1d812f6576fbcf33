package io.penstock.broker.journal;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The pages through which files are read for subscribers: no more than a bound, made as they are needed, used again for
 * ever. Taken by the agent that reads files; given back by the I/O agents that have sent their content.
 */
public final class LogPages {
    private final AtomicReferenceArray<@Nullable LogPage> pages;
    private final ManyToOneConcurrentArrayQueue<LogPage> returned;
    private final ArrayDeque<LogPage> free = new ArrayDeque<>();
    private int made;

    /**
     * Starts with no page.
     *
     * @param countMax pages at most.
     */
    public LogPages(final int countMax) {
        pages = new AtomicReferenceArray<>(countMax);
        returned = new ManyToOneConcurrentArrayQueue<>(countMax);
    }

    /**
     * Takes a page. Called by the agent that reads files.
     *
     * @param holder who it is for.
     * @param nowNs  of the clock.
     * @return the page, or null when all are in use.
     */
    public @Nullable LogPage take(final PageHolder holder, final long nowNs) {
        LogPage page = free.poll();
        if (page == null && made < pages.length()) {
            page = new LogPage(made);
            pages.setRelease(made, page);
            made++;
        }
        if (page != null) {
            page.holder(holder, nowNs);
            holder.onTaken();
        }
        return page;
    }

    /**
     * Puts a page back that nobody else knows of. Called by the agent that reads files.
     *
     * @param page that was taken.
     */
    public void putBack(final LogPage page) {
        final PageHolder holder = page.holder();
        if (holder == null) {
            throw new IllegalStateException("pages: put back twice: " + page.id());
        }
        holder.onPutBack();
        page.shrink();
        page.holder(null, 0);
        free.add(page);
    }

    /**
     * Gives a page back. Called by the I/O agent that has sent what is in it.
     *
     * @param id of the page.
     */
    public void giveBack(final int id) {
        final LogPage page = pages.getAcquire(id);
        if (page == null || !returned.offer(page)) {
            throw new IllegalStateException("pages: given back twice: " + id);
        }
    }

    /**
     * Takes in what was given back. Called by the agent that reads files.
     *
     * @return count of pages.
     */
    public int collect() {
        int count = 0;
        LogPage page;
        while ((page = returned.poll()) != null) {
            putBack(page);
            count++;
        }
        return count;
    }

    /**
     * Puts back all pages of a holder that has ended. Called by the agent that reads files.
     *
     * @param holder that reads none of them any more.
     */
    public void putBackAllOf(final PageHolder holder) {
        for (int i = 0; i < made; i++) {
            final LogPage page = pages.getPlain(i);
            if (page != null && holder.equals(page.holder())) {
                putBack(page);
            }
        }
    }

    /**
     * The page that was given to its holder first. Called by the agent that reads files.
     *
     * @return the page, or null when none is in use.
     */
    public @Nullable LogPage oldest() {
        LogPage oldest = null;
        for (int i = 0; i < made; i++) {
            final LogPage page = pages.getPlain(i);
            if (page != null && page.holder() != null && (oldest == null || page.takenNs() - oldest.takenNs() < 0)) {
                oldest = page;
            }
        }
        return oldest;
    }

    /**
     * How many pages are in use. Called by the agent that reads files.
     *
     * @return count.
     */
    public int usedCount() {
        return made - free.size();
    }

    /**
     * The memory of a page. Called by an I/O agent that was notified of a run in it.
     *
     * @param id of the page.
     * @return its memory.
     */
    public UnsafeBuffer buffer(final int id) {
        final LogPage page = pages.getAcquire(id);
        if (page == null) {
            throw new IllegalStateException("pages: no such page: " + id);
        }
        return page.buffer();
    }

    /** Gives the memory back. When nobody reads any page any more. */
    public void free() {
        for (int i = 0; i < made; i++) {
            final LogPage page = pages.getPlain(i);
            if (page != null) {
                page.free();
            }
        }
    }
}
