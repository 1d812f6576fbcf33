package io.penstock.broker.session.client;

import io.penstock.broker.shard.command.DeleteKey;

/**
 * What a session deletes with, one record at a time: nothing is read of it until the reply is there.
 *
 * @param command is the shard's from when it is submitted until it comes back.
 * @param pending what waits for it.
 */
public record KeyDelete(DeleteKey command, PendingCommand pending) {}
