package io.penstock.bridge.iiop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.penstock.bridge.service.PublishCommand;
import io.penstock.client.PublishOptions;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PublishRequestTest {
    private final CompositeByteBuf received = Unpooled.compositeBuffer()
            .addComponent(true, Unpooled.directBuffer().writeBytes(bytes("head,on")))
            .addComponent(true, Unpooled.directBuffer().writeBytes(bytes("e,two,")));

    @AfterEach
    void release() {
        received.release();
    }

    private static byte[] bytes(final String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(final PublishCommand command) {
        final byte[] all = new byte[command.data().capacity()];
        command.data().getBytes(0, all);
        return new String(all, StandardCharsets.US_ASCII);
    }

    private PublishRequest request(final int index, final int length) {
        return new PublishRequest("t", received.slice(index, length), PublishOptions.NONE, false);
    }

    private void overwrite() {
        final ByteBuf all = received.duplicate().setIndex(0, 0);
        all.writeBytes(new byte[received.readableBytes()]);
    }

    static Stream<Arguments> pieces() {
        return Stream.of(
                Arguments.of(0, 4, "head"),
                Arguments.of(5, 3, "one"),
                Arguments.of(9, 3, "two"),
                Arguments.of(0, 13, "head,one,two,"),
                Arguments.of(7, 0, ""),
                Arguments.of(13, 0, ""));
    }

    @ParameterizedTest
    @MethodSource("pieces")
    void shouldKeepItsPayloadWhenWhatWasReceivedIsGone(final int index, final int length, final String payload) {
        final PublishRequest request = request(index, length);
        final PublishCommand command = request.command();
        assertThat(text(command)).isEqualTo(payload);
        final PublishCommand kept = request.kept(command);
        overwrite();
        assertThat(text(kept)).isEqualTo(payload);
    }

    @Test
    void shouldNotCopyAPayloadInOnePieceBeforeItHasTo() {
        final PublishCommand command = request(9, 3).command();
        received.setByte(9, 'T');
        assertThat(text(command)).isEqualTo("Two");
    }

    @Test
    void shouldCopyAPayloadInPiecesOnce() {
        final PublishRequest request = request(5, 3);
        final PublishCommand command = request.command();
        assertThat(request.kept(command)).isSameAs(command);
    }
}
