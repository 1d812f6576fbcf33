package io.penstock.spring.handler;

import io.penstock.spring.PenstockHeaders;
import io.penstock.spring.convert.MessageMapper;
import io.penstock.spring.listener.Delivery;
import io.penstock.spring.listener.PenstockMessageListener;
import java.util.List;
import java.util.Map;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.handler.invocation.InvocableHandlerMethod;
import org.springframework.messaging.support.MessageBuilder;

/** Calls a method of a bean. */
final class MethodListener implements PenstockMessageListener {
    private final InvocableHandlerMethod method;
    private final Signature signature;
    private final boolean isBatch;
    private final Replies replies;

    MethodListener(
            final InvocableHandlerMethod method,
            final Signature signature,
            final boolean isBatch,
            final Replies replies) {
        this.method = method;
        this.signature = signature;
        this.isBatch = isBatch;
        this.replies = replies;
    }

    Class<?> payloadType() {
        return signature.payloadType();
    }

    @Override
    public void onDeliveries(final List<Delivery> deliveries) throws Exception {
        if (isBatch) {
            method.invoke(MessageBuilder.createMessage(
                    deliveries, new MessageHeaders(Map.of(PenstockHeaders.DELIVERY, deliveries))));
            return;
        }
        for (final Delivery delivery : deliveries) {
            if (signature.hasResult() && replies.awaitEarlier(delivery)) {
                continue;
            }
            final Object result = method.invoke(
                    MessageMapper.toSpring(delivery.message(), delivery.attempt(), signature.needsWhole(), delivery));
            if (result != null) {
                replies.send(result, delivery, signature.sendTo());
            }
        }
    }

    @Override
    public void onGivenUp(final Delivery delivery, final Throwable reason) {
        if (signature.hasResult()) {
            replies.sendError(delivery, reason);
        }
    }

    @Override
    public boolean isBatch() {
        return isBatch;
    }

    @Override
    public String toString() {
        return method.getMethod().toGenericString();
    }
}
