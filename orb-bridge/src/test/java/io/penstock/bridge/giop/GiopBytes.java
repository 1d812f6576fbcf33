package io.penstock.bridge.giop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Messages that are nearly right, from a seed. */
public final class GiopBytes {
    private static final int[] LENGTHS = {0, 3, 4, 0x7FFFFFFF, -1, 0x00100000, 0x02000000, -8};

    private GiopBytes() {}

    /** A few messages, of which some bytes are wrong, fragments are in any order, or lengths are huge. */
    public static ByteBuf malformed(final Random random) {
        if (random.nextInt(10) == 0) {
            final byte[] bytes = new byte[random.nextInt(5000)];
            random.nextBytes(bytes);
            return Unpooled.wrappedBuffer(bytes);
        }
        final List<ByteBuf> pieces = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            addMessage(random, pieces);
        }
        if (random.nextInt(3) == 0) {
            Collections.shuffle(pieces, random);
        }
        if (random.nextInt(4) == 0) {
            pieces.remove(random.nextInt(pieces.size()));
        }
        final ByteBuf all = Unpooled.buffer();
        for (final ByteBuf each : pieces) {
            spoil(random, each);
            all.writeBytes(each);
        }
        if (random.nextInt(4) == 0) {
            all.writerIndex(random.nextInt(all.writerIndex() + 1));
        }
        return all;
    }

    private static void addMessage(final Random random, final List<ByteBuf> pieces) {
        final int minor = random.nextInt(3);
        final int id = random.nextInt(3);
        final CdrWriter out = CdrWriter.message(random.nextBoolean());
        int type = MessageType.REQUEST;
        switch (random.nextInt(6)) {
            case 0 -> {
                new RequestHeader(id, true, "PenstockBroker", "", 0).writeLocate(out, minor);
                type = MessageType.LOCATE_REQUEST;
            }
            case 1 -> {
                out.writeInt(id);
                type = MessageType.CANCEL_REQUEST;
            }
            default -> {
                final String[] operations = {"echo", "publish", "subscribe", "subscribeWithCallback", "_is_a", "next"};
                new RequestHeader(
                                id,
                                random.nextInt(8) > 0,
                                "PenstockBroker",
                                operations[random.nextInt(operations.length)],
                                CodeSets.UTF_8)
                        .write(out, minor, true);
                out.octets(new byte[random.nextInt(3000)]);
                out.text("topic");
                out.text("filter");
                new Ior("IDL:A:1.0", 2, "127.0.0.1", 1, "key", true).write(out);
            }
        }
        final OutgoingMessage message = new OutgoingMessage(minor, type, id, out, 64 << random.nextInt(6));
        while (!message.isDone()) {
            final ByteBuf piece = Unpooled.buffer();
            message.writeNext(piece);
            pieces.add(piece);
        }
    }

    private static void spoil(final Random random, final ByteBuf piece) {
        if (random.nextInt(3) != 0) {
            return;
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            piece.setByte(random.nextInt(piece.writerIndex()), random.nextInt());
        }
        if (random.nextInt(3) == 0 && piece.writerIndex() > 12) {
            // A length, wherever one may be.
            final int offset = 8 + 4 * random.nextInt((piece.writerIndex() - 12) / 4 + 1);
            piece.setInt(Math.min(offset, piece.writerIndex() - 4), LENGTHS[random.nextInt(LENGTHS.length)]);
        }
    }
}
