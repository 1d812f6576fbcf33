package io.penstock.broker.shard.order;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.broker.filter.Filter;
import io.penstock.broker.filter.FilterCompiler;
import io.penstock.broker.filter.syntax.FilterException;
import io.penstock.broker.filter.syntax.FilterLimits;
import io.penstock.broker.shard.command.CreatedTopics;
import io.penstock.broker.shard.command.Delete;
import io.penstock.broker.shard.command.DeleteTopic;
import io.penstock.broker.shard.command.OpenPublisher;
import io.penstock.broker.shard.command.OpenTopic;
import io.penstock.broker.shard.command.OrderedCommand;
import io.penstock.broker.shard.command.OrderedCommands;
import io.penstock.broker.shard.command.ResetPublisher;
import io.penstock.broker.shard.log.Publication;
import io.penstock.broker.shard.store.FoundVersions;
import io.penstock.broker.topic.StateRule;
import io.penstock.broker.topic.Topic;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Commands are read as they were written; bytes that are none are said to be none, whatever they are. */
class CommandFormatTest {
    private static final long SEED = Long.getLong("penstock.seed", 20_261_127L);
    private static final int MESSAGE_LENGTH_MAX = 1 << 20;
    private static final int MUTATION_COUNT = 20_000;
    private static final CommandOrigin ORIGIN = new CommandOrigin(2, 7, 3, 5);

    private final CreatedTopics createdTopics = new CreatedTopics(10);
    private final OrderedCommands commands = new OrderedCommands(createdTopics, CommandFormatTest::filter);

    @Test
    void shouldReadMessagesAsTheyWereWritten() {
        final Random random = new Random(SEED);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4096]);
        final Publication read = new Publication();
        for (int i = 0; i < 1_000; i++) {
            final Publication written = publication(random);
            final int length = MessageEntry.lengthOf(written);
            MessageEntry.put(buffer, 16, written);
            MessageEntry.read(buffer, 16, read);

            assertThat(MessageEntry.align(MessageEntry.length(buffer, 16))).isEqualTo(length);
            assertThat(text(read)).isEqualTo(text(written));
        }
    }

    @Test
    void shouldReadAMessageInPiecesAsItWasWritten() {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
        final Publication written = publication(new Random(SEED));
        final Publication read = new Publication();
        MessageEntry.putStaged(buffer, 8, written, 77);
        MessageEntry.read(buffer, 8, read);
        assertThat(MessageEntry.type(buffer, 8)).isEqualTo(MessageEntry.TYPE_STAGED);
        assertThat(MessageEntry.staging(buffer, 8)).isEqualTo(77);
        assertThat(MessageEntry.stagedLength(buffer, 8)).isEqualTo(written.payloadLength());
        read.payload(written.payload(), written.payloadOffset(), written.payloadLength());
        assertThat(text(read)).isEqualTo(text(written));
    }

    @Test
    void shouldTakeWhatWasWritten() {
        for (final byte[] command : valid(new Random(SEED))) {
            assertThat(check(command, 0, command.length)).isNull();
            final UnsafeBuffer buffer = new UnsafeBuffer(command);
            assertThat(CommandHeader.member(buffer, 0)).isEqualTo(2);
            assertThat(CommandHeader.ioAgent(buffer, 0)).isEqualTo(7);
            assertThat(CommandHeader.shard(buffer, 0)).isEqualTo(3);
            assertThat(CommandHeader.incarnation(buffer, 0)).isEqualTo(5);
            if (CommandHeader.template(buffer, 0) > CommandHeader.TEMPLATE_PIECE) {
                final OrderedCommand decoded = commands.decode(buffer, 0, command.length);
                final CommandWriter writer = new CommandWriter();
                decoded.encode(writer, ORIGIN, CommandHeader.number(buffer, 0));
                final byte[] again = new byte[writer.length()];
                writer.buffer().getBytes(0, again);
                assertThat(again).isEqualTo(command);
            }
        }
    }

    @Test
    void shouldWriteADeleteOfManyKeysAsSeveralCommands() {
        final List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            keys.add(("key" + i).getBytes(UTF_8));
        }
        final Delete delete = new Delete(0, 0, "topic", keys);
        final CommandWriter writer = new CommandWriter();
        int count = 1;
        while (!delete.encode(writer, ORIGIN, count)) {
            assertThat(writer.length()).isLessThanOrEqualTo(CommandHeader.BATCH_LENGTH);
            assertThat(delete.onApplied(commands.decode(writer.buffer(), 0, writer.length())))
                    .isFalse();
            count++;
        }
        assertThat(delete.onApplied(commands.decode(writer.buffer(), 0, writer.length())))
                .isTrue();
        assertThat(count).isEqualTo(6);
    }

    @Test
    void shouldRefuseACommandOfAnotherVersion() {
        final byte[] command = valid(new Random(SEED)).get(0);
        command[6] = 9;
        assertThat(check(command, 0, command.length)).contains("of version 9").contains("on all nodes");
    }

    @Test
    void shouldSayWhatIsWrongWithBytesThatAreNoCommand() {
        final Random random = new Random(SEED);
        final List<byte[]> valid = valid(random);
        int wrongCount = 0;
        for (int i = 0; i < MUTATION_COUNT; i++) {
            final byte[] command = valid.get(random.nextInt(valid.size())).clone();
            for (int many = 1 + random.nextInt(3); many > 0; many--) {
                command[random.nextInt(Math.min(command.length, 160))] =
                        (byte) (random.nextBoolean() ? random.nextInt() : 0x7F << random.nextInt(2));
            }
            final int length = random.nextInt(4) == 0 ? random.nextInt(command.length + 1) : command.length;
            wrongCount += read(command, length) ? 0 : 1;
        }
        assertThat(wrongCount).isBetween(MUTATION_COUNT / 10, MUTATION_COUNT);
    }

    @FuzzTest(maxDuration = "60s")
    void shouldSayWhatIsWrongWithAnyBytes(final FuzzedDataProvider data) {
        final byte[] command = data.consumeRemainingAsBytes();
        read(command, command.length);
    }

    /** Reads a command that may be none, from an array that ends with it. Returns whether it is one. */
    private boolean read(final byte[] bytes, final int length) {
        final byte[] command = Arrays.copyOf(bytes, length);
        if (check(command, 0, length) != null) {
            return false;
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(command);
        final int template = CommandHeader.template(buffer, 0);
        if (template == CommandHeader.TEMPLATE_BATCH) {
            readEntries(buffer);
        } else if (template == CommandHeader.TEMPLATE_PIECE) {
            final int start = PieceHeader.start(buffer, CommandHeader.LENGTH);
            final int pieceLength = length - CommandHeader.LENGTH - PieceHeader.LENGTH;
            assertThat(start + pieceLength).isBetween(1, PieceHeader.wholeLength(buffer, CommandHeader.LENGTH));
        } else if (template != CommandHeader.TEMPLATE_TICK) {
            try {
                assertThat(commands.decode(buffer, 0, length)).isNotNull();
            } catch (final BadCommandException e) {
                assertThat(e.getMessage()).isNotBlank();
                return false;
            }
        }
        return true;
    }

    private static void readEntries(final UnsafeBuffer buffer) {
        final Publication publication = new Publication();
        int at = CommandHeader.LENGTH;
        for (int i = 0; i < CommandHeader.count(buffer, 0); i++) {
            MessageEntry.read(buffer, at, publication);
            final int keyAt = MessageEntry.keyAt(buffer, at);
            final int keyLength = MessageEntry.keyLength(buffer, at);
            assertThat(keyAt + keyLength).isLessThanOrEqualTo(buffer.capacity());
            if (MessageEntry.type(buffer, at) == MessageEntry.TYPE_MESSAGE) {
                assertThat(publication.payloadOffset() + publication.payloadLength() + publication.headersLength())
                        .isLessThanOrEqualTo(buffer.capacity());
                assertThat(publication.payloadLength()).isNotNegative();
            } else if (MessageEntry.type(buffer, at) == MessageEntry.TYPE_STAGED) {
                assertThat(MessageEntry.stagedLength(buffer, at)).isNotNegative();
            }
            at += MessageEntry.align(MessageEntry.length(buffer, at));
        }
        assertThat(at).isEqualTo(buffer.capacity());
    }

    private static @Nullable String check(final byte[] command, final int offset, final int length) {
        return CommandCheck.check(new UnsafeBuffer(command), offset, length, MESSAGE_LENGTH_MAX);
    }

    /** A command of each kind, and some batches. */
    private List<byte[]> valid(final Random random) {
        final List<byte[]> valid = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            valid.add(batch(random));
        }
        valid.add(piece());
        final List<byte[]> keys = List.of("one".getBytes(UTF_8), "two".getBytes(UTF_8));
        for (final OrderedCommand command : List.of(
                new OpenTopic(0, 0, "", "some", "json", null, createdTopics),
                new OpenTopic(0, 0, "who", "other", "json", StateRule.of("id", 5), createdTopics),
                new DeleteTopic(0, 0, "some", createdTopics, null),
                new OpenPublisher(0, 0, 0, "publisher", "who"),
                new ResetPublisher(0, 0, "publisher", 7, null),
                new Delete(0, 0, "some", keys),
                deleteFound())) {
            final CommandWriter writer = new CommandWriter();
            command.encode(writer, ORIGIN, 1 + valid.size());
            final byte[] bytes = new byte[writer.length()];
            writer.buffer().getBytes(0, bytes);
            valid.add(bytes);
        }
        return valid;
    }

    private static Delete deleteFound() {
        final FoundVersions found = new FoundVersions();
        final UnsafeBuffer key = new UnsafeBuffer("a key".getBytes(UTF_8));
        found.add(12, key, 0, key.capacity());
        found.add(15, key, 2, 3);
        final Filter filter = FilterCompiler.compile("n > 80", FilterLimits.DEFAULTS);
        final MessageFormat json = MessageFormats.formatFor("json");
        return new Delete(0, 0, new Topic(0, 4, "some", json, null), found, filter.text(), filter);
    }

    private static byte[] batch(final Random random) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[16 * 1024]);
        CommandHeader.put(buffer, 0, CommandHeader.TEMPLATE_BATCH, ORIGIN, 9);
        final int count = 1 + random.nextInt(8);
        int at = CommandHeader.LENGTH;
        for (int i = 0; i < count; i++) {
            final Publication publication = publication(random);
            switch (random.nextInt(4)) {
                case 0 -> {
                    MessageEntry.putStaged(buffer, at, publication, i);
                    at += MessageEntry.stagedLengthOf(publication);
                }
                case 1 -> {
                    final UnsafeBuffer key = new UnsafeBuffer("a key".getBytes(UTF_8));
                    MessageEntry.putDelete(buffer, at, 3, key, key.capacity());
                    at += MessageEntry.deleteLengthOf(key.capacity());
                }
                default -> {
                    MessageEntry.put(buffer, at, publication);
                    at += MessageEntry.lengthOf(publication);
                }
            }
        }
        CommandHeader.count(buffer, 0, count);
        return Arrays.copyOf(buffer.byteArray(), at);
    }

    private static byte[] piece() {
        final byte[] bytes = new byte[CommandHeader.LENGTH + PieceHeader.LENGTH + 100];
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        CommandHeader.put(buffer, 0, CommandHeader.TEMPLATE_PIECE, ORIGIN, 9);
        PieceHeader.put(buffer, CommandHeader.LENGTH, 4, 1_000, 256);
        return bytes;
    }

    private static Publication publication(final Random random) {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[64 + random.nextInt(300)]);
        final int headersLength = random.nextInt(3) == 0 ? random.nextInt(40) : 0;
        final Publication publication = new Publication()
                .of(random.nextInt(10), random.nextInt(3), random.nextLong())
                .payload(bytes, 5, bytes.capacity() - 5 - headersLength)
                .headers(headersLength);
        if (random.nextBoolean()) {
            publication
                    .record(bytes, 1, 1 + random.nextInt(50), random.nextBoolean(), random.nextLong())
                    .from(random.nextLong(), random.nextLong());
        }
        if (random.nextInt(4) == 0) {
            publication.request().from(random.nextLong(), random.nextLong());
        }
        return publication;
    }

    private static String text(final Publication of) {
        return of.topicId() + " " + of.publisherId() + " " + of.publisherSequence() + " " + of.headersLength() + " "
                + of.hasRecord() + " " + of.isDelta() + " " + of.isRequest() + " "
                + (of.hasRecord() ? of.expirationNs() + " " + bytes(of.key(), of.keyOffset(), of.keyLength()) : "")
                + (of.hasRecord() || of.isRequest() ? of.sessionId() + " " + of.commandId() : "")
                + bytes(of.payload(), of.payloadOffset(), of.payloadLength() + of.headersLength());
    }

    private static String bytes(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return Arrays.toString(bytes);
    }

    private static Filter filter(final String text) {
        try {
            return FilterCompiler.compile(text, FilterLimits.COMBINED);
        } catch (final FilterException e) {
            throw new BadCommandException(String.valueOf(e.getMessage()));
        }
    }
}
