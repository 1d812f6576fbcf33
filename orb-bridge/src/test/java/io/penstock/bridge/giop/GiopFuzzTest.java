package io.penstock.bridge.giop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes that are no GIOP, or nearly: nothing but the two exceptions comes of them, and no memory stays. */
class GiopFuzzTest {
    private static final int SEEDS = Integer.getInteger("penstock.seeds", 3000);
    private static final ReadLimits LIMITS = new ReadLimits(64 * 1024, 256 * 1024, 128 * 1024, 8);

    @Test
    void shouldRefuseAndHoldNothingWhenBytesAreMalformed() {
        for (int seed = 0; seed < SEEDS; seed++) {
            final Random random = new Random(seed);
            final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(false);
            final CountingBudget budget = new CountingBudget(100_000);
            final MessageReader reader = new MessageReader(LIMITS, budget, allocator, new Reading());
            try {
                final ByteBuf bytes = GiopBytes.malformed(random);
                while (bytes.isReadable()) {
                    reader.read(bytes.readSlice(Math.min(bytes.readableBytes(), 1 + random.nextInt(5000))));
                    assertThat(allocator.metric().usedHeapMemory())
                            .as("seed %d: held at once", seed)
                            .isLessThan(600_000);
                }
            } catch (final ProtocolException e) {
                assertThat(e).hasMessageStartingWith("GIOP: ");
            } catch (final RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
            reader.release();
            assertThat(allocator.metric().usedHeapMemory())
                    .as("seed %d: held", seed)
                    .isZero();
            assertThat(budget.length).as("seed %d: counted", seed).isZero();
        }
    }

    @Test
    void shouldReadNothingElseThanWhatIsThereWhenReferencesAreMalformed() {
        final byte[] valid = Hex.bytes("00" + "000000 0000000a 'IDL:A:1.0' 00 0000 00000001 00000000 0000003c"
                + "00 01 02 00 00000005 'host' 00 00 0af9 00000003 'key' 00"
                + "00000001 00000001 00000018 00 000000"
                + "05010001 00000001 00010001 00010109 00000000");
        for (int seed = 0; seed < SEEDS; seed++) {
            final Random random = new Random(seed);
            final byte[] bytes = java.util.Arrays.copyOf(valid, 1 + random.nextInt(valid.length));
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                Ior.read(CdrReader.encapsulation(Unpooled.wrappedBuffer(bytes)));
            } catch (final SystemException e) {
                assertThat(e.name()).isIn("MARSHAL", "DATA_CONVERSION");
            } catch (final RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** Reads a message as a server would. */
    private static final class Reading extends RecordingSink {
        @Override
        public void onMessage(final MessageHeader header, final CdrReader body, final long length)
                throws ProtocolException {
            try {
                switch (header.type()) {
                    case MessageType.REQUEST -> {
                        final RequestHeader request = RequestHeader.read(body, header.minor());
                        assertThat(request.operation()).isNotNull();
                        body.octets();
                        body.string();
                        Ior.read(body);
                    }
                    case MessageType.LOCATE_REQUEST -> RequestHeader.readLocate(body, header.minor());
                    case MessageType.REPLY -> {
                        ReplyHeader.read(body, header.minor());
                        SystemException.read(body);
                    }
                    default -> body.readInt();
                }
            } catch (final SystemException e) {
                assertThat(e.name()).isIn("MARSHAL", "DATA_CONVERSION");
            }
        }

        @Override
        public void onRefused(final MessageHeader header, final CdrReader begin, final Refusal reason) {
            try {
                RequestHeader.read(begin, header.minor());
            } catch (final SystemException e) {
                assertThat(e.name()).isEqualTo("MARSHAL");
            }
        }
    }
}
