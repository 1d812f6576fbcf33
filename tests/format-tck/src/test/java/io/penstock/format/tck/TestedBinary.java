package io.penstock.format.tck;

import io.penstock.format.FieldType;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageFormats;
import java.util.List;

/** The format binary, for the kits. */
final class TestedBinary implements TestedFormat {
    @Override
    public MessageFormat format() {
        return MessageFormats.formatFor("binary");
    }

    @Override
    public List<FormatSample> samples() {
        final byte[] allBytes = new byte[256];
        for (int i = 0; i < allBytes.length; i++) {
            allBytes[i] = (byte) i;
        }
        return List.of(
                FormatSample.of(allBytes).with("a", FieldType.ABSENT),
                FormatSample.of("{\"a\":1}").with("a", FieldType.ABSENT));
    }

    @Override
    public List<byte[]> refusedMessages() {
        return List.of();
    }

    @Override
    public boolean refusesTruncation() {
        return false;
    }
}
