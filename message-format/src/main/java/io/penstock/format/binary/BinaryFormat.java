package io.penstock.format.binary;

import io.penstock.format.FieldPath;
import io.penstock.format.FieldReader;
import io.penstock.format.FieldSet;
import io.penstock.format.FieldType;
import io.penstock.format.GrowableReader;
import io.penstock.format.MessageFormat;
import io.penstock.format.MessageValidator;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Opaque bytes: every message is valid, an empty one too, and none has fields. */
public final class BinaryFormat implements MessageFormat {
    /** Made by {@link java.util.ServiceLoader}. */
    public BinaryFormat() {}

    @Override
    public String name() {
        return "binary";
    }

    @Override
    public MessageValidator newValidator() {
        return new Validator();
    }

    @Override
    public FieldReader newReader(final FieldSet fields) {
        return new Reader();
    }

    @Override
    public GrowableReader newReader() {
        return new Reader();
    }

    private static final class Validator implements MessageValidator {
        @Override
        public @Nullable String validate(final DirectBuffer buffer, final int offset, final int length) {
            return null;
        }
    }

    /** Every field is absent, so no accessor but {@link #type} is ever meant to be called. */
    private static final class Reader implements GrowableReader {
        private static final DirectBuffer NO_BYTES = new UnsafeBuffer(new byte[0]);

        @Override
        public void wrap(final DirectBuffer buffer, final int offset, final int length) {}

        @Override
        public void add(final int slot, final FieldPath path) {}

        @Override
        public void remove(final int slot, final FieldPath path) {}

        @Override
        public int presentCount() {
            return 0;
        }

        @Override
        public FieldType type(final int slot) {
            return FieldType.ABSENT;
        }

        @Override
        public boolean booleanValue(final int slot) {
            return false;
        }

        @Override
        public long longValue(final int slot) {
            return 0;
        }

        @Override
        public double doubleValue(final int slot) {
            return 0;
        }

        @Override
        public DirectBuffer stringBuffer(final int slot) {
            return NO_BYTES;
        }

        @Override
        public int stringOffset(final int slot) {
            return 0;
        }

        @Override
        public int stringLength(final int slot) {
            return 0;
        }

        @Override
        public int elementCount(final int slot) {
            return 0;
        }

        @Override
        public void element(final int slot, final int index) {}
    }
}
