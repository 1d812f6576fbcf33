package io.penstock.format;

/** Found like any other, and cannot be made. */
public final class BrokenFormat implements MessageFormat {
    /** Throws. */
    public BrokenFormat() {
        throw new IllegalStateException("broken on purpose");
    }

    @Override
    public String name() {
        return "broken";
    }

    @Override
    public MessageValidator newValidator() {
        throw new UnsupportedOperationException();
    }

    @Override
    public FieldReader newReader(final FieldSet fields) {
        throw new UnsupportedOperationException();
    }

    @Override
    public GrowableReader newReader() {
        throw new UnsupportedOperationException();
    }
}
