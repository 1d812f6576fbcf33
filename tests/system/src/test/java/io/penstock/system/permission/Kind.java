package io.penstock.system.permission;

import java.util.Arrays;
import java.util.List;

/** What is asked, and over which transports it can be. */
enum Kind {
    LOG_ON(true, true, true),
    PUBLISH(true, true, false),
    PUBLISH_TO_NEW_TOPIC(true, true, false),
    PUBLISH_DELTA(true, true, false),
    SUBSCRIBE(true, true, true),
    SUBSCRIBE_TO_PATTERN(true, true, true),
    SOW_AND_SUBSCRIBE(true, true, false),
    REPLAY(true, true, true),
    REPLAY_OF_PATTERN(true, true, true),
    QUERY(true, true, true),
    QUERY_OF_PATTERN(true, true, false),
    QUERY_OF_KEYS(true, false, false),
    QUERY_OF_COUNT(true, true, true),
    QUERY_OF_PAST(true, false, true),
    DELETE_BY_FILTER(true, false, false),
    DELETE_BY_KEYS(true, false, false),
    DECLARE(true, false, true),
    LIST(true, false, true),
    STAT(true, false, true),
    RESET_PUBLISHER(true, false, false),
    DELETE_TOPIC(true, false, true),
    DELIVER(true, false, false),
    ADMIN_READ(false, false, true),
    ADMIN_WRITE(false, false, true);

    private final boolean isNative;
    private final boolean isBridge;
    private final boolean isHttp;

    Kind(final boolean isNative, final boolean isBridge, final boolean isHttp) {
        this.isNative = isNative;
        this.isBridge = isBridge;
        this.isHttp = isHttp;
    }

    /** What can be asked over a transport. */
    static List<Kind> over(final Transport transport) {
        return Arrays.stream(values())
                .filter(each -> transport.isNative()
                        ? each.isNative
                        : transport.isBridge() ? each.isBridge : each.isHttp)
                .toList();
    }
}
