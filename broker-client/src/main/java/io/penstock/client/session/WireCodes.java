package io.penstock.client.session;

import io.penstock.client.AckType;
import io.penstock.client.LogPlace;
import io.penstock.client.RecordKind;
import io.penstock.client.ReplayRate;
import io.penstock.client.ReplayRequest;
import io.penstock.protocol.codec.IfMissing;
import io.penstock.protocol.codec.LogEnd;
import io.penstock.protocol.codec.LogStart;
import io.penstock.protocol.codec.RateUnit;
import io.penstock.protocol.codec.SowAsOf;

/** Maps values of the API to their codes on the wire, and checked codes back to values. */
final class WireCodes {
    /** Types by their codes, which are in the order of the types. */
    private static final AckType[] ACK_TYPES = AckType.values();

    private static final RecordKind[] RECORD_KINDS = RecordKind.values();

    private WireCodes() {}

    static AckType ackType(final int code) {
        return ACK_TYPES[code];
    }

    static RecordKind recordKind(final int code) {
        return RECORD_KINDS[code];
    }

    static LogStart start(final LogPlace place) {
        return switch (place.kind()) {
            case BEGINNING, NO_END -> LogStart.BEGINNING;
            case NOW -> LogStart.NOW;
            case BOOKMARK -> LogStart.BOOKMARK;
            case TIME -> LogStart.TIME;
        };
    }

    static LogEnd end(final LogPlace place) {
        return switch (place.kind()) {
            case BEGINNING, NO_END -> LogEnd.NONE;
            case NOW -> LogEnd.NOW;
            case BOOKMARK -> LogEnd.BOOKMARK;
            case TIME -> LogEnd.TIME;
        };
    }

    static SowAsOf asOf(final LogPlace place) {
        return switch (place.kind()) {
            case BEGINNING, NO_END, NOW -> SowAsOf.NOW;
            case BOOKMARK -> SowAsOf.BOOKMARK;
            case TIME -> SowAsOf.TIME;
        };
    }

    static RateUnit rateUnit(final ReplayRate.Unit unit) {
        return switch (unit) {
            case NONE -> RateUnit.NONE;
            case MESSAGES -> RateUnit.MESSAGES;
            case BYTES -> RateUnit.BYTES;
            case SPEED -> RateUnit.SPEED;
        };
    }

    static IfMissing ifMissing(final ReplayRequest.Missing missing) {
        return switch (missing) {
            case FAIL -> IfMissing.FAIL;
            case BEGINNING -> IfMissing.BEGINNING;
            case NOW -> IfMissing.NOW;
        };
    }
}
