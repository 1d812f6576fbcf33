package io.penstock.broker.security.audit;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of an audit: their names have numbers, which rise. */
final class AuditFiles {
    private static final Pattern NAME = Pattern.compile("audit-(\\d{10})\\.jsonl");

    private AuditFiles() {}

    /** Those that are there, oldest first. */
    static List<String> names(final Storage storage) throws IOException {
        return storage.list().stream()
                .filter(name -> NAME.matcher(name).matches())
                .sorted()
                .toList();
    }

    static String name(final long number) {
        return String.format(Locale.ROOT, "audit-%010d.jsonl", number);
    }

    /** The number of the newest; 0 for none. */
    static long newest(final List<String> names) {
        return names.isEmpty() ? 0 : number(names.get(names.size() - 1));
    }

    /** The number in a file's name; 0 when it is called otherwise. */
    static long number(final String name) {
        final Matcher matcher = NAME.matcher(name);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : 0;
    }
}
