package io.penstock.broker.shard.log;

import io.penstock.broker.concurrent.BrokerCounters;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * The counters of one shard. Its sequencer writes them, but for the answers to its reclaim, which readers write, the length of columns, and those of
 * its files, which the journaler and the keeper write.
 */
public final class ShardCounters {
    private final AtomicCounter messages;
    private final AtomicCounter duplicates;
    private final AtomicCounter payloadBytes;
    private final AtomicCounter payloadBytesCopied;
    private final AtomicCounter appendsRefused;
    private final AtomicCounter matches;
    private final AtomicCounter turnsToCursor;
    private final AtomicCounter turnsToLive;
    private final AtomicCounter subscriptions;
    private final AtomicCounter behind;
    private final AtomicCounter stateRefused;
    private final AtomicCounter stateDeleted;
    private final AtomicCounter stateExpired;
    private final AtomicCounter windowCuts;
    private final AtomicCounter windowLength;
    private final AtomicCounter columnLength;
    private final AtomicCounter columnsDropped;
    private final AtomicCounter published;
    private final AtomicCounter lastSequence;
    private final AtomicCounter writtenSequence;
    private final AtomicCounter durableSequence;
    private final AtomicCounter durablePosition;
    private final AtomicCounter journalStatus;
    private final AtomicCounter journalSyncs;
    private final AtomicCounter journalBytes;
    private final AtomicCounter snapshots;
    private final AtomicCounter snapshotsFailed;
    private final AtomicCounter snapshotSequence;
    private final AtomicCounter snapshotLength;
    private final AtomicCounter filesReleased;
    private final AtomicCounter indexesRebuilt;
    private final AtomicCounter demanded;
    private final AtomicCounter[] released;

    public ShardCounters(final BrokerCounters counters, final int shard, final int readerCount) {
        final String owner = "shard-" + shard;
        messages = counters.newCounter(owner, "messages");
        duplicates = counters.newCounter(owner, "duplicates");
        payloadBytes = counters.newCounter(owner, "payloadBytes");
        payloadBytesCopied = counters.newCounter(owner, "payloadBytesCopied");
        appendsRefused = counters.newCounter(owner, "appendsRefused");
        matches = counters.newCounter(owner, "matches");
        turnsToCursor = counters.newCounter(owner, "turnsToCursor");
        turnsToLive = counters.newCounter(owner, "turnsToLive");
        subscriptions = counters.newCounter(owner, "subscriptions");
        behind = counters.newCounter(owner, "subscriptionsBehind");
        stateRefused = counters.newCounter(owner, "stateRefused");
        stateDeleted = counters.newCounter(owner, "stateDeleted");
        stateExpired = counters.newCounter(owner, "stateExpired");
        windowCuts = counters.newCounter(owner, "windowCuts");
        windowLength = counters.newCounter(owner, "windowLength");
        columnLength = counters.newCounter(owner, "columnLength");
        columnsDropped = counters.newCounter(owner, "columnsDropped");
        published = counters.newCounter(owner, "publishedPosition");
        lastSequence = counters.newCounter(owner, "lastSequence");
        writtenSequence = counters.newCounter(owner, "writtenSequence");
        durableSequence = counters.newCounter(owner, "durableSequence");
        durablePosition = counters.newCounter(owner, "durablePosition");
        journalStatus = counters.newCounter(owner, "journalStatus");
        journalSyncs = counters.newCounter(owner, "journalSyncs");
        journalBytes = counters.newCounter(owner, "journalBytes");
        snapshots = counters.newCounter(owner, "snapshots");
        snapshotsFailed = counters.newCounter(owner, "snapshotsFailed");
        snapshotSequence = counters.newCounter(owner, "snapshotSequence");
        snapshotLength = counters.newCounter(owner, "snapshotLength");
        filesReleased = counters.newCounter(owner, "filesReleased");
        indexesRebuilt = counters.newCounter(owner, "indexesRebuilt");
        demanded = counters.newCounter(owner, "demandedPosition");
        released = new AtomicCounter[readerCount];
        for (int i = 0; i < readerCount; i++) {
            released[i] = counters.newCounter(owner, "releasedPosition-" + i);
        }
    }

    public AtomicCounter[] released() {
        return released;
    }

    public AtomicCounter journalSyncs() {
        return journalSyncs;
    }

    public AtomicCounter turnsToLive() {
        return turnsToLive;
    }

    public AtomicCounter duplicates() {
        return duplicates;
    }

    public AtomicCounter payloadBytesCopied() {
        return payloadBytesCopied;
    }

    public AtomicCounter payloadBytes() {
        return payloadBytes;
    }

    public AtomicCounter messages() {
        return messages;
    }

    public AtomicCounter demanded() {
        return demanded;
    }

    public AtomicCounter appendsRefused() {
        return appendsRefused;
    }

    public AtomicCounter subscriptions() {
        return subscriptions;
    }

    public AtomicCounter published() {
        return published;
    }

    public AtomicCounter durablePosition() {
        return durablePosition;
    }

    public AtomicCounter stateDeleted() {
        return stateDeleted;
    }

    public AtomicCounter stateExpired() {
        return stateExpired;
    }

    /** Messages that left the windows of views before their time. */
    public AtomicCounter windowCuts() {
        return windowCuts;
    }

    /** Bytes of memory that the windows of views have for messages. */
    public AtomicCounter windowLength() {
        return windowLength;
    }

    /** Columns that gave way to others, or were of no use; written by whoever prepares memory. */
    public AtomicCounter columnsDropped() {
        return columnsDropped;
    }

    /** Bytes of the columns that queries have made; written by whoever prepares memory. */
    public AtomicCounter columnLength() {
        return columnLength;
    }

    public AtomicCounter stateRefused() {
        return stateRefused;
    }

    public AtomicCounter turnsToCursor() {
        return turnsToCursor;
    }

    public AtomicCounter behind() {
        return behind;
    }

    public AtomicCounter matches() {
        return matches;
    }

    public AtomicCounter snapshotsFailed() {
        return snapshotsFailed;
    }

    public AtomicCounter snapshotLength() {
        return snapshotLength;
    }

    public AtomicCounter durableSequence() {
        return durableSequence;
    }

    public AtomicCounter lastSequence() {
        return lastSequence;
    }

    public AtomicCounter journalBytes() {
        return journalBytes;
    }

    public AtomicCounter snapshotSequence() {
        return snapshotSequence;
    }

    public AtomicCounter indexesRebuilt() {
        return indexesRebuilt;
    }

    public AtomicCounter filesReleased() {
        return filesReleased;
    }

    public AtomicCounter snapshots() {
        return snapshots;
    }

    public AtomicCounter journalStatus() {
        return journalStatus;
    }

    public AtomicCounter writtenSequence() {
        return writtenSequence;
    }
}
