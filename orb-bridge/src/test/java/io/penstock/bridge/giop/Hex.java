package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;

/** Bytes as a table has them: digits, with spaces, and letters between apostrophes. */
final class Hex {
    private Hex() {}

    static byte[] bytes(final String text) {
        final StringBuilder digits = new StringBuilder();
        boolean isText = false;
        for (int i = 0; i < text.length(); i++) {
            final char each = text.charAt(i);
            if (each == '\'') {
                isText = !isText;
            } else if (isText) {
                digits.append(String.format("%02x", (int) each));
            } else if (each != ' ') {
                digits.append(each);
            }
        }
        return HexFormat.of().parseHex(digits);
    }

    static ByteBuf buffer(final String text) {
        return Unpooled.wrappedBuffer(bytes(text));
    }

    static String of(final OutgoingMessage message) {
        final ByteBuf out = Unpooled.buffer();
        while (!message.isDone()) {
            message.writeNext(out);
        }
        return ByteBufUtil.hexDump(out);
    }

    static String of(final String text) {
        return HexFormat.of().formatHex(bytes(text));
    }
}
