package io.penstock.client;

import java.util.List;

/**
 * The answer to a query of state.
 *
 * @param messages the records, in the order that was asked for.
 * @param stats    what was looked at and found.
 */
public record SowResult(List<Message> messages, SowStats stats) {
    public SowResult {
        messages = List.copyOf(messages);
    }

    /**
     * Reads the records as UTF-8.
     *
     * @return a new string for each.
     */
    public List<String> texts() {
        return messages.stream().map(Message::text).toList();
    }
}
