package io.penstock.spring.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.client.Ack;
import io.penstock.client.PenstockClient;
import io.penstock.spring.Eventually;
import io.penstock.spring.PenstockConnection;
import io.penstock.spring.TestBroker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Savepoints of Spring's own transactions. */
@SuppressWarnings("FutureReturnValueIgnored") // What was sent is looked for.
class NestedTransactionTest {
    private final TestBroker broker = TestBroker.inproc();
    private final PenstockConnection connection = new PenstockConnection(broker.clients());
    private final PenstockTemplate template = new PenstockTemplate(connection);
    private final PenstockClient client = broker.client();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final Transactions transactions = new Transactions();
    private final TransactionTemplate outer = new TransactionTemplate(transactions);
    private final TransactionTemplate nested = new TransactionTemplate(transactions);
    private final TransactionTemplate own = new TransactionTemplate(transactions);

    /** Transactions of nothing, with savepoints. */
    private static final class Transactions extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1L;

        private transient boolean isActive;

        /** One transaction. */
        private record Transaction(boolean isActive) implements SavepointManager {
            @Override
            public Object createSavepoint() {
                return new Object();
            }

            @Override
            public void rollbackToSavepoint(final Object savepoint) {}

            @Override
            public void releaseSavepoint(final Object savepoint) {}
        }

        Transactions() {
            setNestedTransactionAllowed(true);
        }

        @Override
        protected Object doGetTransaction() {
            return new Transaction(isActive);
        }

        @Override
        protected boolean isExistingTransaction(final Object transaction) {
            return ((Transaction) transaction).isActive();
        }

        @Override
        protected void doBegin(final Object transaction, final TransactionDefinition definition) {
            isActive = true;
        }

        @Override
        protected Object doSuspend(final Object transaction) {
            isActive = false;
            return this;
        }

        @Override
        protected void doResume(final @Nullable Object transaction, final Object suspended) {
            isActive = true;
        }

        @Override
        protected void doCommit(final DefaultTransactionStatus status) {
            isActive = false;
        }

        @Override
        protected void doRollback(final DefaultTransactionStatus status) {
            isActive = false;
        }
    }

    @BeforeEach
    void start() {
        template.setTransactionSynchronized(true);
        nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        client.subscribe("orders", message -> received.add(message.toMessage().text()));
    }

    @AfterEach
    void close() {
        connection.close();
        client.close();
        broker.close();
    }

    private void assertReceived(final String... texts) {
        template.send("orders", "0").join();
        Eventually.await("the last one came", () -> received.contains("0"));
        assertThat(List.copyOf(received).subList(0, received.size() - 1)).containsExactly(texts);
    }

    private CompletableFuture<Ack> sendAndFail(final String text) {
        return Objects.requireNonNull(nested.execute(status -> {
            final CompletableFuture<Ack> sent = template.send("orders", text);
            status.setRollbackOnly();
            return sent;
        }));
    }

    @Test
    void shouldSendNothingOfANestedTransactionWhenItIsRolledBack() {
        final List<CompletableFuture<Ack>> lost = new CopyOnWriteArrayList<>();
        outer.executeWithoutResult(outermost -> {
            lost.add(sendAndFail("1"));
            template.send("orders", "2");
            nested.executeWithoutResult(status -> template.send("orders", "3"));
            lost.add(sendAndFail("4"));
            nested.executeWithoutResult(status -> {
                template.send("orders", "5");
                lost.add(sendAndFail("6"));
            });
            template.send("orders", "7");
        });

        assertReceived("2", "3", "5", "7");
        assertThat(lost)
                .hasSize(3)
                .allSatisfy(each ->
                        assertThatThrownBy(() -> each.get(30, TimeUnit.SECONDS)).hasMessageContaining("rolled back"));
    }

    @Test
    void shouldSendNothingOfWhatANestedOneHeldWhenItIsRolledBackItself() {
        outer.executeWithoutResult(outermost -> {
            template.send("orders", "1");
            nested.executeWithoutResult(status -> {
                template.send("orders", "2");
                nested.executeWithoutResult(inner -> template.send("orders", "3"));
                status.setRollbackOnly();
            });
            own.executeWithoutResult(status -> template.send("orders", "4"));
        });

        assertReceived("4", "1");
    }

    @Test
    void shouldSendBytesAsTheyWereWhenTheyChangeBeforeTheCommit() {
        outer.executeWithoutResult(outermost -> {
            final byte[] bytes = "1".getBytes(StandardCharsets.UTF_8);
            template.send("orders", bytes);
            template.to("orders").send(bytes);
            template.send("orders", MessageBuilder.withPayload(bytes).build());
            bytes[0] = '7';
        });

        assertReceived("1", "1", "1");
    }
}
