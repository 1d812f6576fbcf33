package io.penstock.bridge.giop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages byte by byte, as the specification lays them out. */
class GiopLayoutTest {
    private static final int PIECE_LENGTH = 64 * 1024;

    private static final String REQUEST_10 = "00000000" // no contexts
            + "00000007" // id
            + "01 000000" // a reply is expected; padding
            + "00000003 'key' 00" // key; padding
            + "00000005 'echo' 00 000000" // operation; padding
            + "00000000"; // principal
    private static final String REQUEST_11 = REQUEST_10; // reserved where 1.0 has padding
    private static final String REQUEST_12 = "00000007" // id
            + "03 000000" // response flags; reserved
            + "0000 0000" // the target is a key; padding
            + "00000003 'key' 00"
            + "00000005 'echo' 00 000000"
            + "00000000"; // no contexts; 12 + 36 is a multiple of 8: no padding

    @ParameterizedTest
    @CsvSource({"0", "1", "2"})
    void shouldWriteARequestAsItIsLaidOut(final int minor) {
        final String body = minor == 2 ? REQUEST_12 : minor == 1 ? REQUEST_11 : REQUEST_10;
        final CdrWriter out = CdrWriter.message(false);
        new RequestHeader(7, true, "key", "echo", 0).write(out, minor, true);
        out.octets(new byte[] {5});

        final String expected = body + "00000001 05";
        final String head = "'GIOP' 01 0" + minor + " 00 00 " + String.format("%08x", Hex.bytes(expected).length);
        assertThat(Hex.of(new OutgoingMessage(minor, MessageType.REQUEST, 7, out, PIECE_LENGTH)))
                .isEqualTo(Hex.of(head + expected));
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2"})
    void shouldReadARequestAsItIsLaidOut(final int minor) throws SystemException {
        final String body = minor == 2 ? REQUEST_12 : minor == 1 ? REQUEST_11 : REQUEST_10;
        final CdrReader in = new CdrReader(Hex.buffer(body + "00000001 05"), false);

        assertThat(RequestHeader.read(in, minor)).isEqualTo(new RequestHeader(7, true, "key", "echo", 0));
        assertThat(in.octets()).containsExactly(5);
    }

    @Test
    void shouldReadALittleEndianRequestWithContexts() throws SystemException {
        final CdrReader in = new CdrReader(
                Hex.buffer("07000000 00 000000 0000 0000 03000000 'key' 00 05000000 'echo' 00 000000"
                        + "02000000" // two contexts
                        + "11223344 03000000 010203 00" // one that nobody knows; padding
                        + "01000000 0c000000 01 000000 01000105 09010100" // code sets
                        + "2a000000"),
                true);

        assertThat(RequestHeader.read(in, 2)).isEqualTo(new RequestHeader(7, false, "key", "echo", CodeSets.UTF_8));
        assertThat(in.readInt()).isEqualTo(42);
    }

    @Test
    void shouldFindTheKeyWhenTheTargetIsAProfileOrAReference() throws SystemException {
        final String profile = "00 01 02 00 00000002 'h' 00 0050 00000003 'key' 00 00000000";
        final String length = String.format("%08x", Hex.bytes(profile).length);
        final CdrReader byProfile = new CdrReader(
                Hex.buffer(
                        "00000007 03 000000 0001 0000 00000000" + length + profile + "00000002 'm' 00 0000 00000000"),
                false);
        assertThat(RequestHeader.read(byProfile, 2).key()).isEqualTo("key");

        final CdrReader byReference = new CdrReader(
                Hex.buffer(
                        "00000007 03 000000 0002 0000 00000001" // the second profile
                                + "00000001 00 000000 00000002 00000009 00000002 ffff 0000 00000000" + length + profile
                                + "00000002 'm' 00 0000 00000000"),
                false);
        assertThat(RequestHeader.read(byReference, 2).key()).isEqualTo("key");

        final CdrReader noSuchWay = new CdrReader(Hex.buffer("00000007 03 000000 0003 0000 00000000"), false);
        assertThatThrownBy(() -> RequestHeader.read(noSuchWay, 2)).hasMessageContaining("no such way");
    }

    @Test
    void shouldPadToEightBytesBeforeTheDataWhenVersion12() throws SystemException {
        final String body = "00000007 00 000000 0000 0000 00000003 'key' 00 00000002 'm' 00 0000 00000000 00000000 2a";
        final CdrWriter out = CdrWriter.message(false);
        new RequestHeader(7, false, "key", "m", 0).write(out, 2, true);
        out.writeOctet(42);

        assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo(Hex.of(body));
        final CdrReader in = new CdrReader(Hex.buffer(body), false);
        assertThat(RequestHeader.read(in, 2)).isEqualTo(new RequestHeader(7, false, "key", "m", 0));
        assertThat(in.readOctet()).isEqualTo((byte) 42);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00000000 00000007 00000000 0000002a",
        "1, 00000000 00000007 00000000 0000002a",
        "2, 00000007 00000000 00000000 0000002a" // 12 + 12 is a multiple of 8: no padding
    })
    void shouldWriteAndReadAReplyAsItIsLaidOut(final int minor, final String body) throws SystemException {
        final CdrWriter out = CdrWriter.message(false);
        new ReplyHeader(7, ReplyHeader.NO_EXCEPTION).write(out, minor, true);
        out.writeInt(42);

        assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo(Hex.of(body));
        final CdrReader in = new CdrReader(Hex.buffer(body), false);
        assertThat(ReplyHeader.read(in, minor)).isEqualTo(new ReplyHeader(7, ReplyHeader.NO_EXCEPTION));
        assertThat(in.readInt()).isEqualTo(42);
    }

    @Test
    void shouldWriteAndReadASystemExceptionAsItIsLaidOut() throws SystemException {
        final String body = "0000001e 'IDL:omg.org/CORBA/MARSHAL:1.0' 00 0000 fffff001 00000001";
        final CdrWriter out = CdrWriter.message(false);
        SystemException.marshal("for people here").write(out);

        assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo(Hex.of(body));
        final SystemException read = SystemException.read(new CdrReader(Hex.buffer(body), false));
        assertThat(read.name()).isEqualTo("MARSHAL");
        assertThat(read.minor()).isEqualTo(0xFFFFF001);
        assertThat(read.completion()).isEqualTo(SystemException.COMPLETED_NO);
    }

    @Test
    void shouldReadAndWriteQuestionsForTheirPlace() throws SystemException {
        for (final int minor : new int[] {0, 1, 2}) {
            final String body = minor == 2 ? "00000007 0000 0000 00000003 'key'" : "00000007 00000003 'key'";
            final CdrWriter out = CdrWriter.message(false);
            new RequestHeader(7, true, "key", "", 0).writeLocate(out, minor);
            assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo(Hex.of(body));
            assertThat(RequestHeader.readLocate(new CdrReader(Hex.buffer(body), false), minor))
                    .isEqualTo(new RequestHeader(7, true, "key", "", 0));
        }
        final CdrWriter out = CdrWriter.message(true);
        new ReplyHeader(7, ReplyHeader.OBJECT_HERE).writeLocate(out);
        assertThat(Hex.of(new OutgoingMessage(2, MessageType.LOCATE_REPLY, 7, out, PIECE_LENGTH)))
                .isEqualTo(Hex.of("'GIOP' 01 02 01 04 08000000 07000000 01000000"));
    }

    @Test
    void shouldWriteMessagesWithoutData() {
        assertThat(Hex.of(OutgoingMessage.empty(2, MessageType.CLOSE_CONNECTION)))
                .isEqualTo(Hex.of("'GIOP' 01 02 00 05 00000000"));
        assertThat(Hex.of(OutgoingMessage.empty(0, MessageType.MESSAGE_ERROR)))
                .isEqualTo(Hex.of("'GIOP' 01 00 00 06 00000000"));
    }

    @Test
    void shouldWriteFragmentsAsTheyAreLaidOut() {
        final CdrWriter out = CdrWriter.message(true);
        new ReplyHeader(7, ReplyHeader.NO_EXCEPTION).write(out, 2, true);
        for (int i = 0; i < 4; i++) {
            out.writeInt(i);
        }

        assertThat(Hex.of(new OutgoingMessage(2, MessageType.REPLY, 7, out, 24)))
                .isEqualTo(Hex.of("'GIOP' 01 02 03 01 0c000000 07000000 00000000 00000000"
                        + "'GIOP' 01 02 03 07 0c000000 07000000 00000000 01000000"
                        + "'GIOP' 01 02 01 07 0c000000 07000000 02000000 03000000"));
    }

    @Test
    void shouldNotFragmentWhenTheVersionHasNone() {
        for (final int minor : new int[] {0, 1}) {
            final CdrWriter out = CdrWriter.message(false);
            new ReplyHeader(7, ReplyHeader.NO_EXCEPTION).write(out, minor, true);
            out.writeLong(1);
            final OutgoingMessage message = new OutgoingMessage(minor, MessageType.REPLY, 7, out, 24);
            message.writeNext(Unpooled.buffer());

            assertThat(message.mayYield()).as("between pieces of a message").isFalse();
            assertThat(message.isDone()).isFalse();
        }
    }

    @Test
    void shouldReadAndWriteAReference() throws SystemException {
        final Ior reference = new Ior("IDL:A:1.0", 2, "host", 2809, "key", true);
        final String text = "IOR:"
                + Hex.of("00 000000 0000000a 'IDL:A:1.0' 00 0000 00000001 00000000 0000003c"
                        + "00 01 02 00 00000005 'host' 00 00 0af9 00000003 'key' 00"
                        + "00000001 00000001 00000018 00 000000"
                        + "05010001 00000001 00010001 00010109 00000000");

        assertThat(reference.text()).isEqualTo(text);
        assertThat(Ior.parse(reference.text())).isEqualTo(reference);
        final Ior secure =
                new Ior("IDL:A:1.0", 2, "host", 0, "key", true, Ior.Secure.of(2810, true, true));
        assertThat(secure.text())
                .isEqualTo("IOR:"
                        + Hex.of("00 000000 0000000a 'IDL:A:1.0' 00 0000 00000001 00000000 0000004c"
                                + "00 01 02 00 00000005 'host' 00 00 0000 00000003 'key' 00"
                                + "00000002 00000001 00000018 00 000000"
                                + "05010001 00000001 00010001 00010109 00000000"
                                + "00000014 00000008 00 00 007e 005e 0afa"));
        assertThat(Ior.parse(secure.text())).isEqualTo(secure);
        assertThat(Ior.Secure.of(1, false, true)).isEqualTo(new Ior.Secure(0x7F, 1, 1));
        assertThat(Ior.read(new CdrReader(Hex.buffer("00000001 00 000000 00000000"), false)))
                .as("nothing")
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "corbaloc:iiop:1.2@127.0.0.1:4711/PenstockBroker, 127.0.0.1, 4711, 2, PenstockBroker",
        "corbaloc::host/NameService, host, 2809, 0, NameService",
        "corbaloc:iiop:[::1]:99/a/b, ::1, 99, 0, a/b",
        "'corbaloc::g:1,iiop:1.1@h:2/a%2f%e9%5C', g, 1, 0, a/é\\"
    })
    void shouldReadACorbaloc(final String text, final String host, final int port, final int minor, final String key) {
        assertThat(Ior.parse(text)).isEqualTo(new Ior("", minor, host, port, key, false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "corbaloc:iiop:host",
                "corbaloc:iiop:host:70000/x",
                "corbaname::host#a",
                "IOR:",
                "IOR:0",
                "IOR:zz",
                "IOR:00",
                "IOR:000000000000000100000000ffffffff"
            })
    void shouldNameTheRemedyWhenTextIsNoReference(final String text) {
        assertThatThrownBy(() -> Ior.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use corbaloc:iiop:1.2@host:port/key");
    }

    @Test
    void shouldReadTheFirstProfileForIiopWhenThereAreSeveral() throws SystemException {
        final String first = "00 01 02 00 00000002 'g' 00 0050 00000001 'k' 000000 00000000";
        final String second = "00 01 00 00 00000002 'h' 00 0050 00000001 'k'";
        final CdrReader in = new CdrReader(
                Hex.buffer("00000002 'T' 00 0000 00000003 00000005 00000000 00000000"
                        + String.format("%08x", Hex.bytes(first).length)
                        + first
                        + "00000000"
                        + String.format("%08x", Hex.bytes(second).length)
                        + second),
                false);

        assertThat(Objects.requireNonNull(Ior.read(in)).host()).isEqualTo("g");
    }
}
