package io.penstock.bridge.giop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is written is read, in each version, byte order and cut. {@code -Dpenstock.seeds=N} for a longer form. */
class GiopComparisonTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 300);
    private static final ReadLimits LIMITS = new ReadLimits(1 << 24, 1 << 24, 1 << 26, 100);

    @Test
    void shouldReadWhatWasWrittenWhenMessagesTakeTurns() throws Exception {
        for (int seed = 0; seed < SEEDS; seed++) {
            compare(seed);
        }
    }

    private static void compare(final int seed) throws Exception {
        final Random random = new Random(seed);
        final int minor = random.nextInt(3);
        final Map<Integer, List<Object>> sent = new HashMap<>();
        final List<OutgoingMessage> waiting = new ArrayList<>();
        final int count = 1 + random.nextInt(5);
        for (int id = 0; id < count; id++) {
            final List<Object> values = values(random);
            sent.put(id, values);
            final CdrWriter out = CdrWriter.message(random.nextBoolean());
            out.charset(StandardCharsets.UTF_8);
            new RequestHeader(id, true, "key" + id, "operation", CodeSets.UTF_8).write(out, minor, !values.isEmpty());
            write(out, values);
            waiting.add(new OutgoingMessage(
                    minor, MessageType.REQUEST, id, out, minor == 1 ? 1 << 24 : 128 << random.nextInt(11)));
        }
        final ByteBuf wire = Unpooled.buffer();
        OutgoingMessage begun = null;
        while (!waiting.isEmpty()) {
            final OutgoingMessage next = begun == null ? waiting.get(random.nextInt(waiting.size())) : begun;
            next.writeNext(wire);
            begun = next.mayYield() ? null : next;
            if (next.isDone()) {
                waiting.remove(next);
            }
        }
        final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
        final Comparing sink = new Comparing(seed, sent);
        final MessageReader reader = new MessageReader(LIMITS, LengthBudget.NONE, allocator, sink);
        while (wire.isReadable()) {
            reader.read(wire.readSlice(Math.min(wire.readableBytes(), cut(random))));
        }
        assertThat(sent).as("seed %d: not read", seed).isEmpty();
        assertThat(allocator.metric().usedHeapMemory())
                .as("seed %d: held", seed)
                .isZero();
    }

    /** Lengths of all kinds, as the network has them. */
    private static int cut(final Random random) {
        return 1 + random.nextInt(1 << random.nextInt(18));
    }

    private static List<Object> values(final Random random) {
        final List<Object> values = new ArrayList<>();
        final int count = random.nextInt(20);
        for (int i = 0; i < count; i++) {
            switch (random.nextInt(7)) {
                case 0 -> values.add((byte) random.nextInt());
                case 1 -> values.add(random.nextBoolean());
                case 2 -> values.add((char) random.nextInt(1 << 16));
                case 3 -> values.add(random.nextInt());
                case 4 -> values.add(random.nextLong());
                case 5 -> values.add("é€a".repeat(random.nextInt(50)));
                default -> {
                    final byte[] bytes = new byte[random.nextInt(1 << random.nextInt(17))];
                    random.nextBytes(bytes);
                    values.add(bytes);
                }
            }
        }
        return values;
    }

    private static void write(final CdrWriter out, final List<Object> values) throws SystemException {
        for (final Object each : values) {
            switch (each.getClass().getSimpleName()) {
                case "Byte" -> out.writeOctet((Byte) each);
                case "Boolean" -> out.writeBoolean((Boolean) each);
                case "Character" -> out.writeShort((Character) each);
                case "Integer" -> out.writeInt((Integer) each);
                case "Long" -> out.writeLong((Long) each);
                case "String" -> out.string((String) each);
                default -> out.octets((byte[]) each);
            }
        }
    }

    private static final class Comparing extends RecordingSink {
        private final int seed;
        private final Map<Integer, List<Object>> sent;

        Comparing(final int seed, final Map<Integer, List<Object>> sent) {
            this.seed = seed;
            this.sent = sent;
        }

        @Override
        public void onMessage(final MessageHeader header, final CdrReader body, final long length)
                throws ProtocolException {
            try {
                final RequestHeader request = RequestHeader.read(body, header.minor());
                body.charset(StandardCharsets.UTF_8);
                final List<Object> values =
                        Objects.requireNonNull(sent.remove(request.id()), () -> "seed " + seed + ": " + request.id());
                assertThat(request.key()).isEqualTo("key" + request.id());
                for (final Object each : values) {
                    assertThat(read(body, each)).as("seed %d", seed).isEqualTo(each);
                }
                assertThat(body.remaining()).as("seed %d", seed).isZero();
            } catch (final SystemException e) {
                throw new ProtocolException("seed " + seed + ": " + e.getMessage());
            }
        }

        private static Object read(final CdrReader in, final Object like) throws SystemException {
            return switch (like.getClass().getSimpleName()) {
                case "Byte" -> in.readOctet();
                case "Boolean" -> in.readBoolean();
                case "Character" -> (char) in.readUnsignedShort();
                case "Integer" -> in.readInt();
                case "Long" -> in.readLong();
                case "String" -> in.string();
                default -> in.octets();
            };
        }
    }
}
