package io.penstock.spring.template;

import io.penstock.client.Bookmark;
import io.penstock.client.Message;
import io.penstock.client.RecordKind;

/**
 * A message or a record with its converted payload. Immutable as far as its payload is.
 *
 * @param payload converted.
 * @param message that it was made of.
 * @param <T>     the payload's type.
 */
public record PenstockRecord<T>(T payload, Message message) {
    /**
     * What it is to its subscription or query.
     *
     * @return {@link RecordKind#STATE} for records of a query.
     */
    public RecordKind kind() {
        return message.kind();
    }

    /**
     * The key of the record.
     *
     * @return as {@link Message#key()} has it.
     */
    public String key() {
        return message.key();
    }

    /**
     * Where it is in the log.
     *
     * @return a new bookmark.
     */
    public Bookmark bookmark() {
        return message.bookmark();
    }
}
