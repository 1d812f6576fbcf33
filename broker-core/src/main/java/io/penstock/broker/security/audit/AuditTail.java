package io.penstock.broker.security.audit;

import io.penstock.broker.storage.Storage;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of an audit's files, from which it goes on.
 *
 * @param last       entry that is whole; null when there is none.
 * @param file       the newest one; empty for none.
 * @param length     of that file in bytes.
 * @param tornLength bytes behind the last entry, in this file and those before it that have no entry.
 * @param isDamaged  whether something that is no entry stands before the last one, in its file.
 */
record AuditTail(@Nullable AuditLine last, String file, long length, long tornLength, boolean isDamaged) {
    static AuditTail of(final Storage storage) throws IOException {
        final List<String> names = AuditFiles.names(storage);
        String newest = "";
        long newestLength = 0;
        long torn = 0;
        for (int i = names.size() - 1; i >= 0; i--) {
            final AuditTail tail = of(storage, names.get(i));
            if (newest.isEmpty()) {
                newest = tail.file;
                newestLength = tail.length;
            }
            torn += tail.tornLength;
            if (tail.last != null) {
                return new AuditTail(tail.last, newest, newestLength, torn, tail.isDamaged);
            }
        }
        return new AuditTail(null, newest, newestLength, torn, false);
    }

    private static AuditTail of(final Storage storage, final String name) throws IOException {
        AuditLine last = null;
        long end = 0;
        boolean isDoubtful = false;
        boolean isDamaged = false;
        try (AuditLines lines = new AuditLines(storage.open(name, false))) {
            byte[] bytes;
            while ((bytes = lines.next()) != null) {
                final AuditLine line = lines.isEnded() ? AuditLine.parse(bytes) : null;
                if (line == null) {
                    isDoubtful = true;
                } else {
                    last = line;
                    end = lines.position();
                    isDamaged |= isDoubtful;
                }
            }
            return new AuditTail(last, name, lines.position(), lines.position() - end, isDamaged);
        }
    }
}
