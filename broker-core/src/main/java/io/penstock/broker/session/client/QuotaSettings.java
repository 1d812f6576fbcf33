package io.penstock.broker.session.client;

import io.penstock.broker.security.IdentityCounts;
import io.penstock.broker.shard.command.CreatedTopics;

/**
 * The shared resources that one client may use.
 *
 * @param publisherSequenceGapMax how far the sequence of a message may be above the highest before it.
 * @param topicsPerConnectionMax  topics that one connection may create.
 * @param createdTopics           counts those of one identity; the same for all I/O agents.
 * @param createdPublishers       counts the names of publishers of one identity, in each shard; the same for all I/O
 *                                agents.
 */
public record QuotaSettings(
        long publisherSequenceGapMax,
        int topicsPerConnectionMax,
        CreatedTopics createdTopics,
        IdentityCounts createdPublishers) {}
