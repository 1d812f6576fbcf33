package io.penstock.broker.session.client;

import io.penstock.broker.shard.command.DeleteKey;

/**
 * The command by which a session deletes one record at a time: the session is not read until the reply is there.
 *
 * @param command is the shard's from when it is submitted until it comes back.
 * @param pending what waits for it.
 */
public record KeyDelete(DeleteKey command, PendingCommand pending) {}
