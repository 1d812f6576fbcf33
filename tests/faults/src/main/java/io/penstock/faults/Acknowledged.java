package io.penstock.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far each publisher's messages were acknowledged as persisted: all up to a sequence. Written by the clients' threads,
 * read by any.
 */
final class Acknowledged {
    /** What a guest prints, and what may be cut off at the end of it without harm. */
    private static final Pattern LINE = Pattern.compile("^a ([0-9]{1,3}) ([0-9]{1,15})\\s*$");

    private final AtomicLongArray highest;

    Acknowledged(final int publisherCount) {
        highest = new AtomicLongArray(publisherCount);
    }

    int publisherCount() {
        return highest.length();
    }

    /** Takes an acknowledgement. Returns false when the one before is missing. */
    boolean add(final int publisher, final long sequence) {
        return highest.compareAndSet(publisher, sequence - 1, sequence);
    }

    long highest(final int publisher) {
        return highest.get(publisher);
    }

    long count() {
        long count = 0;
        for (int i = 0; i < highest.length(); i++) {
            count += highest.get(i);
        }
        return count;
    }

    static String line(final int publisher, final long sequence) {
        return "a " + publisher + " " + sequence;
    }

    /** Reads what a guest has printed, whatever else there is. */
    static Acknowledged read(final Path file, final int publisherCount) throws IOException {
        final Acknowledged read = new Acknowledged(publisherCount);
        for (final String line : Files.readAllLines(file)) {
            read.hear(line);
        }
        return read;
    }

    /** Takes a line of a guest, whatever it says. */
    void hear(final String line) {
        final Matcher matcher = LINE.matcher(line);
        if (matcher.matches() && Integer.parseInt(matcher.group(1)) < highest.length()) {
            highest.accumulateAndGet(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)), Math::max);
        }
    }
}
