package io.penstock.broker;

import io.penstock.broker.security.PermissionRule;
import io.penstock.broker.security.Permissions;
import io.penstock.client.Bookmark;
import io.penstock.client.ReplayRequest;
import io.penstock.client.SowRequest;
import io.penstock.client.SubscribeRequest;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A broker with two topics, of whose records fields are hidden from a trader, who sees what is sent to it by each byte. */
abstract class HiddenFieldsScene {
    static final String SECRET = "S3CRET";
    static final String SHOWN = "{\"id\":1,\"v\":1,\"p\":{\"name\":\"n\"}}";

    @TempDir
    Path directory;

    TestBroker test;
    StateClient root;
    StateClient trader;

    @AfterEach
    void close() {
        test.close();
    }

    static PermissionRule hiding(final PermissionRule rule, final String... fields) {
        return rule.hiding(List.of(fields));
    }

    void start(final Permissions permissions) {
        start(permissions, builder -> builder);
    }

    void start(final Permissions permissions, final UnaryOperator<BrokerConfig.Builder> configure) {
        TappedTransport.reset();
        test = new TestBroker(
                "tap",
                builder ->
                        configure.apply(builder.security(new SecurityConfig(GuardedBroker.BY_NAME, permissions, false))
                                .journal(JournalConfig.in(directory.toString())
                                        .withFileLength(4 << 20)
                                        .withSnapshots(0, 0))
                                .topic(TopicConfig.keyed("o", "json", "id"))
                                .topic(TopicConfig.keyed("o2", "json", "id"))));
        root = new StateClient(test, "root");
        trader = new StateClient(test, "trader-E");
    }

    void publish(final int id, final int v) {
        root.publish(
                "o",
                "{\"id\":" + id + ",\"salary\":\"" + SECRET + v + "\",\"v\":" + v + ",\"p\":{\"ssn\":[\"" + SECRET
                        + "\"],\"name\":\"n\",\"\\u0073sn\":\"" + SECRET + "\"}}");
    }

    void subscribe(final SubscribeRequest request) {
        trader.subscribe(7, request);
        test.settle();
    }

    void sow(final SowRequest request) {
        trader.sow(request);
    }

    void replay(final ReplayRequest request) {
        final int errorCount = trader.errors.size();
        final long commandId = trader.offer(() -> trader.session.offerSubscribeFrom(8, request));
        test.await(() -> trader.acks.containsKey(commandId) || trader.errors.size() > errorCount);
    }

    /** Where the log ends now. */
    Bookmark then() {
        root.groups.clear();
        root.sow(SowRequest.topic("o").top(1));
        return Bookmark.parse(root.groups.get(0).replaceAll(".* ", ""));
    }
}
