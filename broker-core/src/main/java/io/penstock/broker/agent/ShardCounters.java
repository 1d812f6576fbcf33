package io.penstock.broker.agent;

import io.penstock.broker.concurrent.BrokerCounters;
import org.agrona.concurrent.status.AtomicCounter;

/** What one shard counts. Written by its sequencer, but for the answers to its reclaim, and
 * what is of its files. */
final class ShardCounters {
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

    ShardCounters(final BrokerCounters counters, final int shard, final int readerCount) {
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
}
