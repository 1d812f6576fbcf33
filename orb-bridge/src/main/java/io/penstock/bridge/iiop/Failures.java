package io.penstock.bridge.iiop;

import io.penstock.bridge.giop.SystemException;
import io.penstock.orb.BrokerException;
import io.penstock.orb.Delivery;
import io.penstock.protocol.ErrorCode;

/** The refusals of CORBA itself. The page docs/operating/bridge.md lists our minor codes. */
final class Failures {
    private static final int STANDARD = 0x4F4D0000;

    private Failures() {}

    static SystemException badOperation(final String operation) {
        return no("BAD_OPERATION", STANDARD + 2, "no such operation: " + operation);
    }

    static SystemException noSuchObject() {
        return no("OBJECT_NOT_EXIST", SystemException.MINOR_BASE + 2, "no such object, or its session has ended");
    }

    static SystemException tooLong() {
        return no("IMP_LIMIT", SystemException.MINOR_BASE + 3, "the request is too long");
    }

    static SystemException noRoom() {
        return no("NO_RESOURCES", SystemException.MINOR_BASE + 4, "too much has come in part");
    }

    static SystemException noCodeSet(final int codeSet) {
        return no("CODESET_INCOMPATIBLE", STANDARD + 1, "no such code set: 0x" + Integer.toHexString(codeSet));
    }

    static SystemException notImplemented(final String operation) {
        return no("NO_IMPLEMENT", SystemException.MINOR_BASE + 5, "not served: " + operation);
    }

    static SystemException callbackRefused(final String host) {
        return no("NO_PERMISSION", SystemException.MINOR_BASE + 6, "not the caller's address: " + host);
    }

    static SystemException callbackInClear(final String host) {
        return no(
                "NO_PERMISSION",
                SystemException.MINOR_BASE + 6,
                "a listener would be sent messages in clear, and the client's connection is encrypted: " + host);
    }

    static SystemException noCallback() {
        return no("BAD_PARAM", SystemException.MINOR_BASE + 7, "no listener");
    }

    /** Messages or records that cannot be written for their client: what they are of has ended. */
    static BrokerException unwritable(
            final String operation, final String what, final Delivery first, final SystemException reason) {
        return new BrokerException(
                ErrorCode.BAD_TEXT.code(),
                ErrorCode.BAD_TEXT.name(),
                operation + ": " + reason.getMessage() + ", so " + what + " is ended before shard " + first.shard()
                        + ", sequence " + first.sequence()
                        + " (a client that names UTF-8 as its code set takes any text)");
    }

    static SystemException failed(final Throwable cause) {
        return new SystemException(
                "UNKNOWN", SystemException.MINOR_BASE + 8, SystemException.COMPLETED_MAYBE, String.valueOf(cause));
    }

    private static SystemException no(final String name, final int minor, final String text) {
        return new SystemException(name, minor, SystemException.COMPLETED_NO, text);
    }
}
