package io.penstock.bridge.giop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CdrTest {
    private static CdrReader reader(final String bytes, final boolean isLittleEndian) {
        // Position 0, as in an encapsulation without its byte order.
        return new CdrReader(Hex.buffer(bytes), isLittleEndian, 0, new int[0]);
    }

    @Test
    void shouldAlignEachValueByItsLengthWhenBigEndian() throws SystemException {
        final CdrReader in = reader("01 00 0203 04 000000 00000005 00000000 0000000000000006 07", false);

        assertThat(in.readOctet()).isEqualTo((byte) 1);
        assertThat(in.readUnsignedShort()).isEqualTo(0x0203);
        assertThat(in.readBoolean()).isTrue();
        assertThat(in.readInt()).isEqualTo(5);
        assertThat(in.readLong()).isEqualTo(6);
        assertThat(in.readOctet()).isEqualTo((byte) 7);
        assertThat(in.remaining()).isZero();
    }

    @Test
    void shouldAlignEachValueByItsLengthWhenLittleEndian() throws SystemException {
        final CdrReader in = reader("01 00 0302 00 000000 05000000 00000000 0600000000000000 07", true);

        assertThat(in.readOctet()).isEqualTo((byte) 1);
        assertThat(in.readUnsignedShort()).isEqualTo(0x0203);
        assertThat(in.readBoolean()).isFalse();
        assertThat(in.readInt()).isEqualTo(5);
        assertThat(in.readLong()).isEqualTo(6);
        assertThat(in.readOctet()).isEqualTo((byte) 7);
    }

    @Test
    void shouldCountPositionsFromTheHeaderWhenInAMessage() throws SystemException {
        // The data begins at 12, so that 8 bytes are aligned at 16.
        final CdrReader in = new CdrReader(Hex.buffer("ffffffff 0000000000000001"), false);

        assertThat(in.readLong()).isEqualTo(1);
    }

    @Test
    void shouldWriteAsTheSpecificationHasIt() throws SystemException {
        final CdrWriter out = CdrWriter.encapsulation(false);
        out.writeShort(0x0203);
        out.writeInt(5);
        out.writeLong(6);
        out.string("ab");
        out.octets(new byte[] {9, 8});
        out.writeBoolean(true);

        assertThat(HexFormat.of().formatHex(out.toBytes()))
                .isEqualTo(Hex.of("00 00 0203 00000005 0000000000000006" + " 00000003 'ab' 00 00 00000002 09 08 01"));
    }

    @Test
    void shouldReadWhatIsWrittenWhenTextIsUtf8() throws SystemException {
        final CdrWriter out = CdrWriter.encapsulation(true);
        out.charset(StandardCharsets.UTF_8);
        out.string("é€");

        assertThat(HexFormat.of().formatHex(out.toBytes())).isEqualTo("01000000" + "06000000" + "c3a9e282ac" + "00");
        final CdrReader in = CdrReader.encapsulation(Unpooled.wrappedBuffer(out.toBytes()));
        in.charset(StandardCharsets.UTF_8);
        assertThat(in.string()).isEqualTo("é€");
    }

    @Test
    void shouldReadIso88591WhenNothingElseWasSaid() throws SystemException {
        assertThat(reader("00000002 e9 00", false).string()).isEqualTo("é");
    }

    @Test
    void shouldRefuseTextWhenItDoesNotFitTheCodeSet() {
        final CdrWriter latin = CdrWriter.message(false);
        assertThatThrownBy(() -> latin.string("€"))
                .isInstanceOf(SystemException.class)
                .hasMessageStartingWith("DATA_CONVERSION");
        assertThatThrownBy(() -> latin.string("a\0b")).hasMessageStartingWith("DATA_CONVERSION");
        final CdrReader in = reader("00000002 e9 00", false);
        in.charset(StandardCharsets.UTF_8);
        assertThatThrownBy(in::string).hasMessageStartingWith("DATA_CONVERSION");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", // no length
                "00000005 'abc' 00", // longer than what is left
                "ffffffff 'abc' 00", // below zero, if it were signed
                "7fffffff 'abc' 00",
                "00000003 'abc'" // no zero at its end
            })
    void shouldRefuseAStringWhenItIsNotWhole(final String bytes) {
        assertThatThrownBy(() -> reader(bytes, false).string())
                .isInstanceOf(SystemException.class)
                .hasMessageStartingWith("MARSHAL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00000002 01", "ffffffff 01", "80000000 01", "000000"})
    void shouldRefuseOctetsWhenTheyAreNotThere(final String bytes) {
        assertThatThrownBy(() -> reader(bytes, false).octets()).hasMessageStartingWith("MARSHAL");
    }

    @Test
    void shouldRefuseACountWhenTheElementsCannotBeThere() throws SystemException {
        assertThat(reader("00000002 0000000000000000", false).count(4)).isEqualTo(2);
        assertThatThrownBy(() -> reader("00000003 0000000000000000", false).count(4))
                .hasMessageStartingWith("MARSHAL");
        assertThatThrownBy(() -> reader("ffffffff 0000000000000000", false).count(0x40000000))
                .hasMessageStartingWith("MARSHAL");
    }

    @Test
    void shouldNotCopyAnArrayWhenItIsLong() {
        final byte[] data = new byte[CdrWriter.GATHERED_LENGTH_MIN];
        final CdrWriter out = CdrWriter.message(false);
        out.octets(data);
        out.writeInt(7);

        assertThat(out.gathered()).hasSize(1);
        assertThat(out.gathered().get(0).bytes()).isSameAs(data);
        assertThat(out.length()).isEqualTo(4 + data.length + 4);
        data[0] = 1;
        assertThat(out.toBytes()[4]).isEqualTo((byte) 1);
    }
}
