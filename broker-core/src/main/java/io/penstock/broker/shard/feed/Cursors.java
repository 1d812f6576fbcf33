package io.penstock.broker.shard.feed;

import io.penstock.broker.concurrent.EngineWakers;
import io.penstock.broker.journal.LogPages;
import io.penstock.broker.shard.match.DescriptorRing;
import io.penstock.broker.shard.match.Interest;
import io.penstock.broker.shard.match.Rate;
import io.penstock.broker.shard.match.Replay;

/** The way of I/O agents to the replayer and to the file replayer. */
public final class Cursors implements CursorPort {
    private final Replayer replayer;
    private final FileReplayer fileReplayer;
    private final LogPages pages;
    private final EngineWakers wakers;

    public Cursors(
            final Replayer replayer, final FileReplayer fileReplayer, final LogPages pages, final EngineWakers wakers) {
        this.replayer = replayer;
        this.fileReplayer = fileReplayer;
        this.pages = pages;
        this.wakers = wakers;
    }

    @Override
    public boolean start(final Interest interest, final DescriptorRing ring, final long position, final Replay replay) {
        return woken(replayer.start(interest, ring, position, replay));
    }

    @Override
    public boolean startInFiles(final Interest interest, final DescriptorRing ring, final Replay replay) {
        return wokenForFiles(fileReplayer.offer(new FileReplayer.Start(interest, ring, replay)));
    }

    @Override
    public boolean stop(final long feed, final boolean inFiles) {
        return inFiles ? wokenForFiles(fileReplayer.offer(new FileReplayer.Stop(feed))) : woken(replayer.stop(feed));
    }

    @Override
    public boolean rate(final long feed, final boolean inFiles, final Rate rate) {
        return inFiles
                ? wokenForFiles(fileReplayer.offer(new FileReplayer.SetRate(feed, rate)))
                : woken(replayer.rate(feed, rate));
    }

    @Override
    public boolean end(final long feed, final boolean inFiles, final long toSequence) {
        return inFiles
                ? wokenForFiles(fileReplayer.offer(new FileReplayer.End(feed, toSequence)))
                : woken(replayer.end(feed, toSequence));
    }

    @Override
    public boolean forget(final DescriptorRing ring) {
        return wokenForFiles(fileReplayer.offer(new FileReplayer.Forget(ring)));
    }

    @Override
    public void giveBack(final int id) {
        pages.giveBack(id);
        wakers.fileReplayer().run();
    }

    @Override
    public LogPages pages() {
        return pages;
    }

    private boolean woken(final boolean offered) {
        if (offered) {
            wakers.replayer().run();
        }
        return offered;
    }

    private boolean wokenForFiles(final boolean offered) {
        if (offered) {
            wakers.fileReplayer().run();
        }
        return offered;
    }
}
