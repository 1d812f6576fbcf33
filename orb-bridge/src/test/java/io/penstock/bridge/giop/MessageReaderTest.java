package io.penstock.bridge.giop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageReaderTest {
    private static final ReadLimits LIMITS = new ReadLimits(64 * 1024, 256 * 1024, 128 * 1024, 2);
    private static final String EMPTY_12 = "'GIOP' 01 02 00 00 00000000";

    private final RecordingSink sink = new RecordingSink();
    private final CountingBudget budget = new CountingBudget(1 << 20);
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final MessageReader reader = new MessageReader(LIMITS, budget, allocator, sink);

    private void read(final String bytes) throws ProtocolException {
        final ByteBuf in = Hex.buffer(bytes);
        reader.read(in);
        assertThat(in.isReadable()).as("bytes left").isFalse();
    }

    private void assertNothingHeld() {
        reader.release();
        assertThat(budget.length).isZero();
        assertThat(allocator.metric().usedHeapMemory() + allocator.metric().usedDirectMemory())
                .as("buffers that are not released")
                .isZero();
    }

    private String body(final int index) {
        return HexFormat.of().formatHex(sink.bodies.get(index));
    }

    @Test
    void shouldFindMessagesWhereverTheyAreCut() throws ProtocolException {
        final byte[] bytes = Hex.bytes("'GIOP' 01 00 00 00 00000003 010203" + "'GIOP' 01 02 01 05 00000000"
                + "'GIOP' 01 01 01 02 04000000 07000000");
        for (int cut = 0; cut <= bytes.length; cut++) {
            sink.messages.clear();
            sink.bodies.clear();
            reader.read(Unpooled.wrappedBuffer(bytes, 0, cut));
            reader.read(Unpooled.wrappedBuffer(bytes, cut, bytes.length - cut));

            assertThat(sink.messages).as("cut at %d", cut).containsExactly("0 of 1.0", "5 of 1.2", "2 of 1.1");
            assertThat(body(0)).isEqualTo("010203");
        }
        assertThat(reader.isInMessage()).isFalse();
        assertNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'GIOX' 01 00 00 00 00000000",
                "'GIOP' 02 00 00 00 00000000",
                "'GIOP' 01 03 00 00 00000000",
                "'GIOP' 01 ff 00 00 00000000",
                "'GIOP' 01 00 02 00 00000000", // fragments before there were any
                "'GIOP' 01 00 00 07 00000000",
                "'GIOP' 01 02 00 08 00000000",
                "'GIOP' 01 02 00 ff 00000000",
                "'GIOP' 01 02 00 00 00040001", // longer than may be read past
                "'GIOP' 01 02 00 00 ffffffff",
                "'GIOP' 01 02 00 07 00000004 00000007", // a fragment of nothing
                "'GIOP' 01 02 00 07 00000003 00000007", // without a number
                "'GIOP' 01 01 00 07 00000000",
                "'GIOP' 01 02 02 02 00000004 00000007", // fragments of what has none
                "'GIOP' 01 01 02 03 00000004 00000007",
                "'GIOP' 01 02 02 00 00000003 000000", // no room for its number
                "'GIOP' 01 02 02 00 00000008 0000000700000000" // not a multiple of 8
            })
    void shouldEndWhenItIsNoGiop(final String bytes) {
        assertThatThrownBy(() -> read(bytes)).isInstanceOf(ProtocolException.class);
        assertNothingHeld();
    }

    @Test
    void shouldPutFragmentsTogetherWhenTheyTakeTurns() throws ProtocolException {
        read("'GIOP' 01 02 02 00 00000004 00000007");
        read("'GIOP' 01 02 02 00 0000000c 00000008 11111111 22222222");
        read("'GIOP' 01 02 02 07 0000000c 00000007 aaaaaaaa bbbbbbbb");
        read("'GIOP' 01 02 00 00 00000004 00000009");
        read("'GIOP' 01 02 00 07 00000005 00000008 33");
        assertThat(reader.isInMessage()).isTrue();
        read("'GIOP' 01 02 00 07 00000004 00000007");

        assertThat(sink.messages).containsExactly("0 of 1.2", "0 of 1.2", "0 of 1.2");
        assertThat(body(0)).isEqualTo("00000009");
        assertThat(body(1)).isEqualTo("00000008" + "11111111" + "22222222" + "33");
        assertThat(body(2)).isEqualTo("00000007" + "aaaaaaaa" + "bbbbbbbb");
        assertThat(reader.isInMessage()).isFalse();
        assertNothingHeld();
    }

    /** The network may cut a number, and long pieces are kept apart. */
    @ParameterizedTest
    @ValueSource(strings = {"'GIOP' 01 02 02 00 00008004 01020304", "'GIOP' 01 02 03 00 04800000 04030201"})
    void shouldFindTheNumberWhereverALongFirstPartIsCut(final String begin) throws ProtocolException {
        final boolean isLittleEndian = begin.endsWith("01");
        final byte[] bytes = Arrays.copyOf(Hex.bytes(begin), 12 + 0x8004);
        for (int cut = 0; cut <= 20; cut++) {
            reader.read(Unpooled.wrappedBuffer(bytes, 0, cut));
            reader.read(Unpooled.wrappedBuffer(bytes, cut, bytes.length - cut));
            read(isLittleEndian ? "'GIOP' 01 02 01 07 04000000 04030201" : "'GIOP' 01 02 00 07 00000004 01020304");

            assertThat(sink.messages).as("cut at %d", cut).hasSize(cut + 1);
            assertThat(sink.bodies.get(cut))
                    .as("cut at %d", cut)
                    .isEqualTo(Arrays.copyOfRange(bytes, 12, bytes.length));
        }
        assertThat(reader.isInMessage()).isFalse();
        assertNothingHeld();
    }

    /** Positions of GIOP 1.1 begin anew with each fragment: 8 bytes that would be at 16 are at 16 of the next one. */
    @Test
    void shouldAlignValuesWithinTheirFragmentWhenVersion11() throws ProtocolException {
        final long[] values = new long[2];
        final MessageReader typed = new MessageReader(LIMITS, budget, allocator, new RecordingSink() {
            @Override
            public void onMessage(final MessageHeader header, final CdrReader body, final long length) {
                try {
                    values[0] = body.readInt();
                    values[1] = body.readLong();
                    messages.add(body.string());
                } catch (final SystemException e) {
                    throw new IllegalStateException(e);
                }
                assertThat(messages).containsExactly("abcdefgh");
                assertThat(body.remaining()).isZero();
            }
        });

        typed.read(Hex.buffer("'GIOP' 01 01 02 00 00000004 00000005"
                + "'GIOP' 01 01 02 07 00000013 ffffffff 0000000000000006 00000009 'abc'"
                + "'GIOP' 01 01 00 07 00000006 'defgh' 00"));

        assertThat(values).containsExactly(5, 6);
        assertNothingHeld();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'GIOP' 01 01 00 00 00000004 00000008", // another message
                "'GIOP' 01 01 01 07 04000000 00000008", // another byte order
                "'GIOP' 01 02 00 07 00000004 00000007" // of another version
            })
    void shouldEndWhenSomethingElseComesAmongFragmentsWithoutNumbers(final String other) throws ProtocolException {
        read("'GIOP' 01 01 02 00 00000004 00000007");

        assertThatThrownBy(() -> read(other)).isInstanceOf(ProtocolException.class);
        assertNothingHeld();
    }

    @Test
    void shouldGiveUpAMessageWhenItIsCancelledAmongItsFragments() throws ProtocolException {
        read("'GIOP' 01 02 02 00 00000004 00000007");
        read("'GIOP' 01 02 00 02 00000004 00000007");
        read("'GIOP' 01 01 02 00 00000004 00000008");
        read("'GIOP' 01 01 00 02 00000004 00000008");
        read("'GIOP' 01 01 00 00 00000004 00000009");

        assertThat(sink.messages).containsExactly("2 of 1.2", "2 of 1.1", "0 of 1.1");
        assertThat(reader.isInMessage()).isFalse();
        assertThatThrownBy(() -> read("'GIOP' 01 02 00 07 00000004 00000007"))
                .hasMessageContaining("a fragment of no message");
        assertNothingHeld();
    }

    @Test
    void shouldEndWhenANumberIsUsedTwice() throws ProtocolException {
        read("'GIOP' 01 02 02 00 00000004 00000007");

        assertThatThrownBy(() -> read("'GIOP' 01 02 02 00 00000004 00000007")).hasMessageContaining("a second message");
        assertNothingHeld();
    }

    @Test
    void shouldEndWhenTooManyMessagesHaveComeInPart() throws ProtocolException {
        read("'GIOP' 01 02 02 00 00000004 00000007");
        read("'GIOP' 01 02 02 00 00000004 00000008");

        assertThatThrownBy(() -> read("'GIOP' 01 02 02 00 00000004 00000009"))
                .hasMessageContaining("more messages in part than 2");
        assertNothingHeld();
    }

    @Test
    void shouldEndWhenThereAreTooManySmallFragmentsWithoutNumbers() throws ProtocolException {
        read("'GIOP' 01 01 02 00 00000004 00000007");

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1000; i++) {
                        read("'GIOP' 01 01 02 07 00000000");
                    }
                })
                .hasMessageContaining("too many small fragments");
        assertNothingHeld();
    }

    @ParameterizedTest
    @CsvSource({"65537", "200000"})
    void shouldReadPastAndGoOnWhenAMessageIsTooLong(final int length) throws ProtocolException {
        read("'GIOP' 01 02 00 00" + String.format("%08x", length));
        for (int left = length; left > 0; left -= 1000) {
            reader.read(Unpooled.wrappedBuffer(new byte[Math.min(1000, left)]));
        }
        read(EMPTY_12);

        assertThat(sink.messages).containsExactly("refused 0", "0 of 1.2");
        assertThat(sink.refusals).containsExactly(MessageSink.Refusal.TOO_LONG);
        assertThat(budget.highest).as("kept of it").isZero();
        assertNothingHeld();
    }

    @Test
    void shouldReadPastAndGoOnWhenFragmentsAreTooLong() throws ProtocolException {
        read("'GIOP' 01 02 02 00 00000004 00000007");
        for (int i = 0; i < 10; i++) {
            read("'GIOP' 01 02 02 07 00004004 00000007");
            reader.read(Unpooled.wrappedBuffer(new byte[0x4000]));
        }
        read("'GIOP' 01 02 00 07 00000004 00000007" + EMPTY_12);

        assertThat(sink.messages).containsExactly("refused 0", "0 of 1.2");
        assertThat(budget.highest).isLessThanOrEqualTo(LIMITS.messageLengthMax());
        assertNothingHeld();
    }

    @Test
    void shouldRefuseWhatComesInPartWhenThereIsNoRoomForAll() throws ProtocolException {
        final CountingBudget small = new CountingBudget(10_000);
        final MessageReader bounded = new MessageReader(LIMITS, small, allocator, sink);
        bounded.read(Hex.buffer("'GIOP' 01 02 00 00 00008000"));
        for (int i = 0; i < 0x8000; i += 0x400) {
            bounded.read(Unpooled.wrappedBuffer(new byte[0x400]));
        }
        bounded.read(Hex.buffer(EMPTY_12));

        assertThat(sink.messages).containsExactly("refused 0", "0 of 1.2");
        assertThat(sink.refusals).containsExactly(MessageSink.Refusal.NO_ROOM);
        assertThat(small.length).isZero();
        assertNothingHeld();
    }

    @Test
    void shouldNotCopyLargePiecesTwice() throws ProtocolException {
        final int pieceLength = IncomingMessage.PIECE_LENGTH_MIN;
        read("'GIOP' 01 02 00 00" + String.format("%08x", 2 * pieceLength + 100));
        reader.read(Unpooled.wrappedBuffer(new byte[pieceLength]));
        reader.read(Unpooled.wrappedBuffer(new byte[pieceLength]));
        reader.read(Unpooled.wrappedBuffer(new byte[100]));

        assertThat(sink.stagedLength).isEqualTo(100);
        read("'GIOP' 01 02 00 00 00000100");
        sink.stagedLength = 0;
        reader.read(Unpooled.wrappedBuffer(new byte[0x100]));
        read("'GIOP' 01 02 00 00 00000008 0000000000000000");
        assertThat(sink.stagedLength).as("of a message that has come at once").isEqualTo(0x100);
        assertNothingHeld();
    }

    private static final String PART = "'GIOP' 01 02 02 00 0000000c 000000%s 0000000000000000";
    private static final String REST = "'GIOP' 01 02 00 07 00000004 000000%s";

    @Test
    void shouldCountTheBeginOfEachFurtherMessageInPart() throws ProtocolException {
        read(PART.formatted("01"));
        assertThat(budget.length).isZero();
        read(PART.formatted("02"));
        assertThat(budget.length).isEqualTo(2048);
        read(REST.formatted("02") + REST.formatted("01"));

        assertThat(sink.messages).hasSize(2);
        assertThat(budget.length).isZero();
        read(PART.formatted("01"));
        read(PART.formatted("02"));
        assertNothingHeld();
    }

    @Test
    void shouldEndWhenThereIsNoRoomForAnotherMessageInPart() throws ProtocolException {
        final CountingBudget small = new CountingBudget(2047);
        final MessageReader other = new MessageReader(LIMITS, small, allocator, sink);
        other.read(Hex.buffer(PART.formatted("01")));

        assertThatThrownBy(() -> other.read(Hex.buffer(PART.formatted("02"))))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("no room");
        other.release();
        assertThat(small.length).isZero();
        assertNothingHeld();
    }
}
