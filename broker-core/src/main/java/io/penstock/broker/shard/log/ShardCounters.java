package io.penstock.broker.shard.log;

import io.penstock.broker.concurrent.BrokerCounters;
import org.agrona.concurrent.status.AtomicCounter;

/** What one shard counts. Written by its sequencer, but for the answers to its reclaim, and
 * what is of its files. */
public final class ShardCounters {
    final AtomicCounter messages;
    final AtomicCounter duplicates;
    final AtomicCounter payloadBytes;
    final AtomicCounter payloadBytesCopied;
    final AtomicCounter appendsRefused;
    final AtomicCounter matches;
    final AtomicCounter turnsToCursor;
    final AtomicCounter turnsToLive;
    final AtomicCounter subscriptions;
    final AtomicCounter behind;
    final AtomicCounter stateRefused;
    final AtomicCounter stateDeleted;
    final AtomicCounter stateExpired;
    final AtomicCounter published;
    final AtomicCounter lastSequence;
    final AtomicCounter writtenSequence;
    final AtomicCounter durableSequence;
    final AtomicCounter durablePosition;
    final AtomicCounter journalStatus;
    final AtomicCounter journalSyncs;
    final AtomicCounter journalBytes;
    final AtomicCounter snapshots;
    final AtomicCounter snapshotsFailed;
    final AtomicCounter snapshotSequence;
    final AtomicCounter snapshotLength;
    final AtomicCounter filesReleased;
    final AtomicCounter indexesRebuilt;
    final AtomicCounter demanded;
    final AtomicCounter[] released;

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
