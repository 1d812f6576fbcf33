package io.penstock.bridge.giop;

/** A call has failed in one of CORBA's own ways, here or at the peer. Without stack: it is an answer. */
public final class SystemException extends Exception {
    /** The call was not carried out. */
    public static final int COMPLETED_NO = 1;

    /** The call was carried out, and its answer could not be given. */
    public static final int COMPLETED_YES = 0;

    /** Nobody knows. */
    public static final int COMPLETED_MAYBE = 2;

    /** Minor codes of ours are above this, which is set apart for codes that nobody has registered. */
    public static final int MINOR_BASE = 0xFFFFF000;

    private static final long serialVersionUID = 1L;
    private static final String PREFIX = "IDL:omg.org/CORBA/";
    private static final String SUFFIX = ":1.0";

    private final String name;
    private final int minor;
    private final int completion;

    /**
     * Makes one.
     *
     * @param name       of the exception, for example {@code MARSHAL}.
     * @param minor      code.
     * @param completion one of the constants.
     * @param text       what is wrong, for this side's log.
     */
    public SystemException(final String name, final int minor, final int completion, final String text) {
        super(name + ": " + text, null, false, false);
        this.name = name;
        this.minor = minor;
        this.completion = completion;
    }

    /**
     * The received bytes cannot be read.
     *
     * @param text what is wrong.
     * @return with code 1 of ours.
     */
    public static SystemException marshal(final String text) {
        return new SystemException("MARSHAL", MINOR_BASE + 1, COMPLETED_NO, text);
    }

    /**
     * A character has no place in the code set.
     *
     * @param text what is wrong.
     * @return with the standard code.
     */
    public static SystemException dataConversion(final String text) {
        return new SystemException("DATA_CONVERSION", 0x4F4D0001, COMPLETED_NO, text);
    }

    /**
     * As the answer to a call has it.
     *
     * @param in after the header of the answer.
     * @return the exception.
     * @throws SystemException when it cannot be read.
     */
    public static SystemException read(final CdrReader in) throws SystemException {
        final String id = in.string();
        final boolean isKnown = id.startsWith(PREFIX) && id.endsWith(SUFFIX);
        final String name = isKnown ? id.substring(PREFIX.length(), id.length() - SUFFIX.length()) : "UNKNOWN";
        final int minor = in.readInt();
        final int completion = in.readInt();
        return new SystemException(name, minor, completion, "of the peer, minor code 0x" + Integer.toHexString(minor));
    }

    /**
     * As the answer to a call has it.
     *
     * @param out after the header of the answer.
     */
    public void write(final CdrWriter out) {
        out.text(PREFIX + name + SUFFIX);
        out.writeInt(minor);
        out.writeInt(completion);
    }

    public String name() {
        return name;
    }

    public int minor() {
        return minor;
    }

    public int completion() {
        return completion;
    }

    /**
     * The same, and that the call was carried out.
     *
     * @return with that.
     */
    public SystemException completed() {
        return new SystemException(name, minor, COMPLETED_YES, String.valueOf(getMessage()));
    }
}
