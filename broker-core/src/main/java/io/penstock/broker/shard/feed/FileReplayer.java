package io.penstock.broker.shard.feed;

import io.penstock.broker.journal.JournalCorruptException;
import io.penstock.broker.journal.JournalFiles;
import io.penstock.broker.journal.JournalGoneException;
import io.penstock.broker.journal.LogPage;
import io.penstock.broker.journal.LogPages;
import io.penstock.broker.journal.PageReader;
import io.penstock.broker.shard.Sequencer;
import io.penstock.broker.shard.log.LogWindow;
import io.penstock.broker.shard.log.ShardCounters;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.jspecify.annotations.Nullable;

/**
 * Serves the subscriptions that lag further than the window reaches: reads the files for them. It may block for the
 * disk, so it has a thread of its own, and holds nothing of the window.
 *
 * <p>Cursors read a page each in turn. When there is no page left, those that their clients have not taken for a while
 * are asked back.
 */
public final class FileReplayer implements Agent {
    private static final int COMMAND_QUEUE_LENGTH = 16 * 1024;
    private static final int COMMAND_LIMIT = 256;

    /** How long a client may keep a page that another one needs. */
    private static final long HOLD_NS = 50_000_000;

    private final Sequencer[] sequencers;
    private final @Nullable JournalFiles[] files;
    private final LogPages pages;
    private final NanoClock clock;
    private final LongPredicate recall;
    private final AtomicCounter cursorCount;
    private final AtomicCounter bytesRead;
    private final AtomicCounter recallCount;
    private final ManyToOneConcurrentArrayQueue<Command> commands =
            new ManyToOneConcurrentArrayQueue<>(COMMAND_QUEUE_LENGTH);
    private final ArrayList<FileCursor> cursors = new ArrayList<>();
    private final Map<DescriptorRing, FileClient> clients = new HashMap<>();
    private ErrorHandler errorHandler = error -> {};
    private long recalledNs;
    private int turn;

    /**
     * @param recall asks a client's I/O agent to give pages back that are not sent yet; false when there is no room.
     */
    public FileReplayer(
            final Sequencer[] sequencers,
            final LogPages pages,
            final NanoClock clock,
            final LongPredicate recall,
            final AtomicCounter cursorCount,
            final AtomicCounter bytesRead,
            final AtomicCounter recallCount) {
        this.sequencers = sequencers;
        this.pages = pages;
        this.clock = clock;
        this.recall = recall;
        this.cursorCount = cursorCount;
        this.bytesRead = bytesRead;
        this.recallCount = recallCount;
        files = new JournalFiles[sequencers.length];
        recalledNs = clock.nanoTime();
    }

    /** Adds a shard. Called before the start. */
    public void add(final JournalFiles shardFiles) {
        files[shardFiles.shard()] = shardFiles;
    }

    /** Who is notified of damage. Called before the start. */
    public void errorHandler(final ErrorHandler value) {
        errorHandler = value;
    }

    /** Takes a command; false when there is no room. Called from any thread. */
    boolean offer(final Command command) {
        return commands.offer(command);
    }

    /** Whether cursors wait for room in rings, so that there is work without a command. */
    public boolean isServing() {
        return !cursors.isEmpty();
    }

    @Override
    public int doWork() {
        int workCount = pages.collect() + executeCommands();
        final long nowNs = clock.nanoTime();
        final int count = cursors.size();
        boolean isShort = false;
        int ended = 0;
        for (int i = 0; i < count; i++) {
            turn = turn + 1 < count ? turn + 1 : 0;
            switch (serve(cursors.get(turn), nowNs)) {
                case READ -> workCount++;
                case NO_PAGE -> isShort |= cursors.get(turn).client().mayTakePage();
                case ENDED -> ended++;
                case WAIT -> {}
            }
        }
        turn++;
        if (ended > 0) {
            cursors.removeIf(this::isGone);
            workCount += ended;
        }
        if (isShort) {
            askBack(nowNs);
        }
        cursorCount.setRelease(cursors.size());
        return workCount;
    }

    @Override
    public void onClose() {
        for (final FileCursor cursor : cursors) {
            close(cursor);
        }
    }

    @Override
    public String roleName() {
        return "file-replayer";
    }

    private int executeCommands() {
        int count = 0;
        Command command;
        while (count < COMMAND_LIMIT && (command = commands.poll()) != null) {
            if (command instanceof Start start) {
                start(start);
            } else if (command instanceof Stop stop) {
                find(stop.feed(), FileCursor::stop);
            } else if (command instanceof SetRate rate) {
                final long nowNs = clock.nanoTime();
                find(rate.feed(), cursor -> cursor.rate(rate.rate(), nowNs));
            } else if (command instanceof End end) {
                find(end.feed(), cursor -> cursor.end(end.toSequence()));
            } else if (command instanceof Forget forget) {
                forget(forget.ring());
            }
            count++;
        }
        return count;
    }

    private void start(final Start start) {
        final int shard = start.interest().shard();
        final JournalFiles ofShard = files[shard];
        if (ofShard == null) {
            throw new IllegalStateException("files: shard " + shard + " has none");
        }
        final FileClient client = clients.computeIfAbsent(
                start.ring(), ring -> new FileClient(start.interest().sessionId(), ring));
        cursors.add(new FileCursor(
                start.interest(),
                start.replay(),
                client,
                new PageReader(ofShard, start.replay().sequence()),
                pages,
                sequencers[shard].shard().topics(),
                clock.nanoTime()));
    }

    private void find(final long feed, final Consumer<FileCursor> action) {
        for (int i = 0; i < cursors.size(); i++) {
            if (cursors.get(i).interest().feed() == feed) {
                action.accept(cursors.get(i));
            }
        }
    }

    /**
     * A client has disconnected, and nobody reads its ring: the pages that it gave back before have to be taken first.
     */
    private void forget(final DescriptorRing ring) {
        pages.collect();
        cursors.removeIf(cursor -> {
            if (cursor.client().ring() == ring) {
                close(cursor);
                return true;
            }
            return false;
        });
        final FileClient client = clients.remove(ring);
        if (client != null) {
            pages.putBackAllOf(client);
        }
    }

    private FileCursor.Result serve(final FileCursor cursor, final long nowNs) {
        final ShardCounters counters =
                sequencers[cursor.interest().shard()].shard().counters();
        final long written = counters.writtenSequence().get();
        if (!cursor.isEnding() && isInWindow(cursor, written)) {
            cursor.goOnInWindow();
        }
        final long limit =
                cursor.waitsForDurable() ? Math.min(counters.durableSequence().get(), written) : written;
        try {
            final FileCursor.Result result = cursor.read(limit, nowNs);
            if (result == FileCursor.Result.READ) {
                bytesRead.getAndAddPlain(LogPage.LENGTH);
            }
            return result;
        } catch (final JournalGoneException e) {
            // This is intended for subscribers that read too late.
            cursor.onGone();
            return FileCursor.Result.READ;
        } catch (final IOException e) {
            cursor.fail();
            errorHandler.onError(
                    e instanceof JournalCorruptException
                            ? new UncheckedIOException(e.getMessage(), e)
                            : new UncheckedIOException("journal: cannot be read for a subscription: " + e, e));
            return FileCursor.Result.READ;
        }
    }

    /** Whether the window has what a cursor reads next, and for a while. The replayer looks again. */
    private boolean isInWindow(final FileCursor cursor, final long written) {
        final long next = cursor.nextSequence();
        if (next > written) {
            return true;
        }
        final Sequencer sequencer = sequencers[cursor.interest().shard()];
        final LogWindow window = sequencer.shard().window();
        final long demanded = sequencer.shard().counters().demanded().get();
        final long safe = window.segmentStart(window.segmentNumber(demanded) + 1);
        return safe < sequencer.shard().published().get() && next >= window.firstSequence(safe);
    }

    private boolean isGone(final FileCursor cursor) {
        if (cursor.isGone()) {
            close(cursor);
            return true;
        }
        return false;
    }

    private void askBack(final long nowNs) {
        final LogPage oldest = pages.oldest();
        if (oldest != null
                && nowNs - oldest.takenNs() >= HOLD_NS
                && nowNs - recalledNs >= HOLD_NS
                && oldest.holder() instanceof FileClient client
                && recall.test(client.sessionId())) {
            recalledNs = nowNs;
            recallCount.incrementPlain();
            for (int i = 0; i < cursors.size(); i++) {
                if (cursors.get(i).client() == client) {
                    cursors.get(i).releasePage();
                }
            }
        }
    }

    private static void close(final FileCursor cursor) {
        CloseHelper.quietClose(cursor::close);
    }

    /** A command of an I/O agent to the file replayer. */
    sealed interface Command {}

    /** Start reading files for a feed of a subscription. */
    record Start(Interest interest, DescriptorRing ring, Replay replay) implements Command {}

    /** Read no more for a feed. */
    record Stop(long feed) implements Command {}

    /** Read for a feed as fast as that. */
    record SetRate(long feed, Rate rate) implements Command {}

    /** Nothing after a sequence is for a feed. */
    record End(long feed, long toSequence) implements Command {}

    /** Nobody reads a ring any more. */
    record Forget(DescriptorRing ring) implements Command {}
}
