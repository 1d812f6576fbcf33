package io.penstock.broker;

import io.penstock.protocol.codec.BlockDataEncoder;
import io.penstock.protocol.codec.BlockGrantedDecoder;
import io.penstock.protocol.codec.BlockStoredDecoder;
import io.penstock.protocol.codec.CloseSinkEncoder;
import io.penstock.protocol.codec.MessageHeaderDecoder;
import io.penstock.protocol.codec.MessageHeaderEncoder;
import io.penstock.protocol.codec.OfferBlockEncoder;
import io.penstock.protocol.codec.OpenSinkEncoder;
import io.penstock.protocol.codec.SinkOpenedDecoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** The frames of one producer of blocks, over a raw client, which keeps everything that it gets. */
final class SinkClient {
    static final int WRITER = 7;

    final RawClient raw;
    final List<Long> granted = new ArrayList<>();
    final List<Stored> stored = new ArrayList<>();
    long openedBlockId = -1;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final MessageHeaderDecoder headerDecoder = new MessageHeaderDecoder();
    private long commandId = 100;

    /** What the broker says of a block that is stored. */
    record Stored(long blockId, long number, long offset) {}

    SinkClient(final RawClient raw) {
        this.raw = raw;
        raw.onOther = this::onFrame;
    }

    /** Logs on and opens a sink. */
    static SinkClient open(final TestBroker test, final String sink, final String producer) {
        final SinkClient client = new SinkClient(test.logOn(""));
        client.open(sink, producer, "", 0);
        test.await(() -> client.openedBlockId >= 0);
        return client;
    }

    void open(final String sink, final String producer, final String key, final long length) {
        open(WRITER, sink, producer, key, length);
    }

    void open(final int writerId, final String sink, final String producer, final String key, final long length) {
        final OpenSinkEncoder encoder = new OpenSinkEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.commandId(++commandId)
                .writerId(writerId)
                .memoryLength(length)
                .sink(sink)
                .producer(producer)
                .memoryKey(key);
        send(encoder.limit());
    }

    void offer(final long blockId, final byte[] block) {
        offer(blockId, -1, block.length, checksum(block));
    }

    void offer(final long blockId, final long memoryOffset, final int length, final int checksum) {
        offer(WRITER, blockId, memoryOffset, length, checksum);
    }

    void offer(final int writerId, final long blockId, final long memoryOffset, final int length, final int checksum) {
        final OfferBlockEncoder encoder = new OfferBlockEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.commandId(++commandId)
                .writerId(writerId)
                .blockId(blockId)
                .memoryOffset(memoryOffset)
                .length(length)
                .checksum(Integer.toUnsignedLong(checksum));
        send(encoder.limit());
    }

    void data(final long blockId, final int offset, final byte[] part) {
        data(WRITER, blockId, offset, part);
    }

    void data(final int writerId, final long blockId, final int offset, final byte[] part) {
        final BlockDataEncoder encoder = new BlockDataEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.writerId(writerId).blockId(blockId).partOffset(offset);
        buffer.putBytes(encoder.limit(), part);
        send(encoder.limit() + part.length);
    }

    /** Sends all of a block that was granted, in parts. */
    void send(final TestBroker test, final long blockId, final byte[] block, final int partLength) {
        for (int at = 0; at < block.length; at += partLength) {
            data(blockId, at, Arrays.copyOfRange(block, at, Math.min(block.length, at + partLength)));
            test.cycle();
        }
    }

    /** Delivers a block and waits until it is stored. */
    void put(final TestBroker test, final long blockId, final byte[] block) {
        offer(blockId, block);
        test.await(() -> granted.contains(blockId));
        send(test, blockId, block, 1000);
        test.await(() -> stored.stream().anyMatch(each -> each.blockId == blockId));
    }

    void close() {
        close(WRITER);
    }

    void close(final int writerId) {
        final CloseSinkEncoder encoder = new CloseSinkEncoder().wrapAndApplyHeader(buffer, 0, header);
        encoder.commandId(++commandId).writerId(writerId);
        encoder.ackTypes().clear().processed(true);
        send(encoder.limit());
    }

    long commandId() {
        return commandId;
    }

    static int checksum(final byte[] bytes) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private void send(final int length) {
        final byte[] frame = new byte[length];
        buffer.getBytes(0, frame);
        while (!raw.send(frame)) {
            raw.onBackPressure.run();
        }
    }

    private void onFrame(final DirectBuffer frame) {
        headerDecoder.wrap(frame, 0);
        switch (headerDecoder.templateId()) {
            case SinkOpenedDecoder.TEMPLATE_ID ->
                openedBlockId = new SinkOpenedDecoder()
                        .wrapAndApplyHeader(frame, 0, headerDecoder)
                        .blockId();
            case BlockGrantedDecoder.TEMPLATE_ID ->
                granted.add(new BlockGrantedDecoder()
                        .wrapAndApplyHeader(frame, 0, headerDecoder)
                        .blockId());
            case BlockStoredDecoder.TEMPLATE_ID -> {
                final BlockStoredDecoder decoder = new BlockStoredDecoder().wrapAndApplyHeader(frame, 0, headerDecoder);
                stored.add(new Stored(decoder.blockId(), decoder.number(), decoder.fileOffset()));
            }
            default -> throw new AssertionError("template " + headerDecoder.templateId());
        }
    }
}
