package io.penstock.standalone.message;

import static io.penstock.protocol.RecordDescriptor.FLAG_EXPIRES;
import static io.penstock.protocol.RecordDescriptor.HEADER_LENGTH;
import static io.penstock.protocol.RecordDescriptor.TYPE_DELETE;
import static io.penstock.protocol.RecordDescriptor.TYPE_MESSAGE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.penstock.broker.journal.LogScan;
import io.penstock.broker.journal.MergedLog;
import io.penstock.broker.journal.ShardLog;
import io.penstock.broker.shard.log.TopicRecord;
import io.penstock.client.PublishOptions;
import io.penstock.format.header.Headers;
import io.penstock.protocol.RecordDescriptor;
import java.io.IOException;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/** The messages and deletes of a log. */
final class LogReplaySource implements ReplaySource {
    private final MergedLog log;
    private final Set<String> topics;
    private final Set<String> names;
    private final long total;
    private long taken;
    private @Nullable LogScan scan;
    private @Nullable TopicRecord declaration;
    private PublishOptions options = PublishOptions.NONE;

    /**
     * Starts before the first one.
     *
     * @param logs   of all shards.
     * @param topics that are meant; empty for all.
     * @param names  is told the topics of the log.
     */
    LogReplaySource(final List<ShardLog> logs, final Set<String> topics, final Set<String> names) throws IOException {
        log = new MergedLog(logs);
        this.topics = topics;
        this.names = names;
        long records = 0;
        for (final ShardLog each : logs) {
            records += each.recordCount();
        }
        total = records;
    }

    @Override
    public boolean next() throws IOException {
        while (true) {
            final LogScan present = log.next();
            taken++;
            scan = present;
            if (present == null) {
                return false;
            }
            final DirectBuffer buffer = present.buffer();
            final int offset = present.offset();
            final int type = RecordDescriptor.type(buffer, offset);
            if (type != TYPE_MESSAGE && type != TYPE_DELETE) {
                continue;
            }
            final int topicId = RecordDescriptor.topicId(buffer, offset);
            final TopicRecord topic = present.names().topic(topicId);
            if (topic == null) {
                throw new IOException("record " + place() + ": neither its log nor a snapshot names topic " + topicId
                        + String.join(
                                "",
                                log.problems().stream()
                                        .map(problem -> "; " + problem)
                                        .toList()));
            }
            names.add(topic.name());
            final boolean isView = topic.state() != null && topic.state().isView();
            if (!isView && (topics.isEmpty() || topics.contains(topic.name()))) {
                declaration = topic;
                options = options(buffer, offset);
                return true;
            }
        }
    }

    private PublishOptions options(final DirectBuffer buffer, final int offset) {
        final int keyLength = RecordDescriptor.keyLength(buffer, offset);
        final boolean expires = (RecordDescriptor.flags(buffer, offset) & FLAG_EXPIRES) != 0;
        final int headersLength = RecordDescriptor.headersLength(buffer, offset);
        if (keyLength == 0 && !expires && headersLength == 0) {
            return PublishOptions.NONE;
        }
        final byte[] key = new byte[keyLength];
        final int keyOffset = RecordDescriptor.keyOffset(buffer, offset);
        buffer.getBytes(keyOffset, key);
        return new PublishOptions(new String(key, UTF_8), false, expires ? expirationMs(buffer, offset) : 0)
                .headers(new Headers()
                        .wrap(buffer, keyOffset - headersLength, headersLength)
                        .copy());
    }

    private static long expirationMs(final DirectBuffer buffer, final int offset) {
        final long expiresNs =
                buffer.getLong(offset + RecordDescriptor.length(buffer, offset) - Long.BYTES, ByteOrder.LITTLE_ENDIAN);
        return expiresNs == Long.MAX_VALUE
                ? -1
                : Math.max(1, TimeUnit.NANOSECONDS.toMillis(expiresNs - RecordDescriptor.timestampNs(buffer, offset)));
    }

    @Override
    public DirectBuffer buffer() {
        return present().buffer();
    }

    @Override
    public int offset() {
        return present().offset() + HEADER_LENGTH;
    }

    @Override
    public int length() {
        return RecordDescriptor.messageLength(present().buffer(), present().offset());
    }

    @Override
    public String topic() {
        return Objects.requireNonNull(declaration).name();
    }

    @Override
    public @Nullable TopicRecord declaration() {
        return declaration;
    }

    @Override
    public PublishOptions options() {
        return options;
    }

    @Override
    public boolean isDelete() {
        return RecordDescriptor.type(present().buffer(), present().offset()) == TYPE_DELETE;
    }

    @Override
    public long timestampNs() {
        return present().timestampNs();
    }

    @Override
    public String place() {
        return present().shard() + ":" + present().sequence();
    }

    @Override
    public long total() {
        return total;
    }

    @Override
    public long taken() {
        return taken;
    }

    @Override
    public void close() throws IOException {
        log.close();
    }

    private LogScan present() {
        return Objects.requireNonNull(scan);
    }
}
