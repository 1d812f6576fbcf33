package io.penstock.client;

/** What a request says, for people. */
final class SowRequestText {
    private SowRequestText() {}

    static String of(final SowRequest request) {
        return (request.isPattern() ? "pattern " : "")
                + request.topic()
                + (request.keys().isEmpty() ? "" : " keys " + request.keys())
                + part(" ", request.join())
                + part(" where ", request.filter())
                + part(", select ", request.select())
                + part(", group by ", request.groupBy())
                + part(", having ", request.having())
                + part(", order by ", request.orderBy())
                + (request.asOf().kind() == LogPlace.Kind.NOW
                        ? ""
                        : ", as of " + request.asOf().text())
                + (request.isDurable() ? ", durable" : "")
                + (request.isExplained() ? ", explained" : "")
                + ", " + request.skip() + "+" + request.top();
    }

    private static String part(final String word, final String value) {
        return value.isEmpty() ? "" : word + value;
    }
}
