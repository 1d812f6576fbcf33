package io.penstock.orb;

/** The broker, or the bridge before it, has refused something. It carries no stack of theirs. */
public final class BrokerException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int code;
    private final String name;
    private final String text;

    /**
     * Makes a refusal.
     *
     * @param code as the native protocol has it; 0 when the bridge has no connection to the broker.
     * @param name of the code, for example {@code BAD_FILTER}.
     * @param text input, reason and remedy.
     */
    public BrokerException(final int code, final String name, final String text) {
        super(name + ": " + text, null, false, false);
        this.code = code;
        this.name = name;
        this.text = text;
    }

    public int code() {
        return code;
    }

    public String name() {
        return name;
    }

    public String text() {
        return text;
    }
}
