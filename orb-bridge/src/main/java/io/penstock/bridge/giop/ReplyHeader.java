package io.penstock.bridge.giop;

/**
 * How a request has ended.
 *
 * <pre>
 *   1.0, 1.1: contexts | id | status
 *   1.2:      id | status | contexts | padding to 8
 * </pre>
 *
 * @param id     of the request.
 * @param status one of the constants.
 */
public record ReplyHeader(int id, int status) {
    public static final int NO_EXCEPTION = 0;
    public static final int USER_EXCEPTION = 1;
    public static final int SYSTEM_EXCEPTION = 2;
    public static final int LOCATION_FORWARD = 3;
    public static final int LOCATION_FORWARD_FOR_GOOD = 4;
    public static final int NEEDS_ADDRESSING_MODE = 5;

    /** Answers to a request for the place of an object. */
    public static final int UNKNOWN_OBJECT = 0;

    public static final int OBJECT_HERE = 1;

    /**
     * Reads one, up to where the data begins.
     *
     * @param in    at the begin of the message's data.
     * @param minor version.
     * @return the header.
     * @throws SystemException when it cannot be read.
     */
    public static ReplyHeader read(final CdrReader in, final int minor) throws SystemException {
        if (minor < 2) {
            RequestHeader.contexts(in);
        }
        final ReplyHeader header = new ReplyHeader(in.readInt(), in.readInt());
        if (minor >= 2) {
            RequestHeader.contexts(in);
            in.toBody();
        }
        return header;
    }

    /**
     * Writes one, up to where the data begins.
     *
     * @param out     at the begin of the message's data.
     * @param minor   version.
     * @param hasData whether data follows.
     */
    public void write(final CdrWriter out, final int minor, final boolean hasData) {
        if (minor < 2) {
            out.writeInt(0);
        }
        out.writeInt(id);
        out.writeInt(status);
        if (minor >= 2) {
            out.writeInt(0);
            if (hasData) {
                out.toBody();
            }
        }
    }

    /**
     * Writes the answer to a request for the place of an object.
     *
     * @param out at the begin of the message's data.
     */
    public void writeLocate(final CdrWriter out) {
        out.writeInt(id);
        out.writeInt(status);
    }
}
