package io.penstock.broker.session.client;

import io.penstock.broker.shard.log.RefusedSequences;

/** The publishing side of a client: its numbers in the shards, and its progress. Confined to its I/O agent. */
public final class SessionPublishing {
    private int[] publisherIds;
    private long[] lastSubmissions;
    private final boolean[] knownPublishers;
    private final RefusedSequences overDisk;
    private final RefusedSequences overQuota;
    private long publisherSequence;
    private long messageCount;
    private int createdTopicCount;
    private boolean isTopicRefused;

    SessionPublishing(final int shardCount) {
        publisherIds = new int[shardCount];
        lastSubmissions = new long[shardCount];
        knownPublishers = new boolean[shardCount];
        overDisk = new RefusedSequences(shardCount);
        overQuota = new RefusedSequences(shardCount);
    }

    /** Messages that were refused because the journal is full. */
    public RefusedSequences overDisk() {
        return overDisk;
    }

    /** Messages that were refused because there may be no more names of publishers. */
    public RefusedSequences overQuota() {
        return overQuota;
    }

    /** The highest of its publisher that it has submitted, or that was applied when it logged on; 0 for none. */
    public long publisherSequence() {
        return publisherSequence;
    }

    /** The same, from now on. */
    public void publisherSequence(final long value) {
        publisherSequence = value;
    }

    /** A topic could not be created: the command that asked for it is still to be answered. */
    public boolean isTopicRefused() {
        return isTopicRefused;
    }

    /** The same, from now on. */
    public void isTopicRefused(final boolean value) {
        isTopicRefused = value;
    }

    /** Whether a shard had its publisher when it logged on: such a name is not counted again. */
    public boolean isPublisherKnown(final int shard) {
        return knownPublishers[shard];
    }

    /** The same, from now on. */
    public void isPublisherKnown(final int shard, final boolean value) {
        knownPublishers[shard] = value;
    }

    /** Number of a shard's publisher: 0 not asked yet, or to be asked anew; negative refused. */
    public int publisherId(final int shard) {
        return publisherIds[shard];
    }

    /** The same, from now on. */
    public void publisherId(final int shard, final int value) {
        publisherIds[shard] = value;
    }

    /** Its last submission to a shard's port. */
    public long lastSubmission(final int shard) {
        return lastSubmissions[shard];
    }

    /** The same, from now on: another message was submitted. */
    public void lastSubmission(final int shard, final long value) {
        lastSubmissions[shard] = value;
        messageCount++;
    }

    /** Messages that it has submitted. */
    public long messageCount() {
        return messageCount;
    }

    /** Topics that it has created. */
    public int createdTopicCount() {
        return createdTopicCount;
    }

    /** It has created another topic. */
    public void onTopicCreated() {
        createdTopicCount++;
    }
}
