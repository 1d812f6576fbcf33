package io.penstock.simulator;

import java.util.Map;
import java.util.TreeMap;

/** Flat objects of short texts and numbers, as the model's clients publish them. */
final class Json {
    private Json() {}

    /** Members and their values as they are written. */
    static Map<String, String> parse(final String text) {
        final Map<String, String> members = new TreeMap<>();
        if (!text.startsWith("{") || !text.endsWith("}")) {
            throw new Violation("not an object: " + text);
        }
        int at = 1;
        while (at < text.length() - 1) {
            final int nameEnd = text.indexOf('"', at + 1);
            int end = text.indexOf(',', nameEnd);
            if (end < 0) {
                end = text.length() - 1;
            }
            if (nameEnd < 0 || text.charAt(at) != '"' || text.charAt(nameEnd + 1) != ':') {
                throw new Violation("not what was published: " + text);
            }
            if (members.put(text.substring(at + 1, nameEnd), text.substring(nameEnd + 2, end)) != null) {
                throw new Violation("a member twice: " + text);
            }
            at = end + 1;
        }
        return members;
    }

    /** A record with a delta's members put into it. */
    static Map<String, String> merge(final Map<String, String> record, final Map<String, String> delta) {
        final Map<String, String> merged = new TreeMap<>(record);
        merged.putAll(delta);
        return merged;
    }
}
