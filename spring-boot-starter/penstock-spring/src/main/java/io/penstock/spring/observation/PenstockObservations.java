package io.penstock.spring.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;
import org.jspecify.annotations.Nullable;

/** The observations of this module, with their conventions unless a program brings others. */
public enum PenstockObservations implements ObservationDocumentation {
    /** A message is sent: until the acknowledgement has come that was asked for. */
    SEND {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultSend.class;
        }
    },
    /** A message is received: from the client's thread to the listener's, which is its time in the queue. */
    RECEIVE {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultReceive.class;
        }
    },
    /** A listener processes a message; one observation for each attempt. */
    PROCESS {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultProcess.class;
        }
    };

    /** The convention of sends: {@code penstock.send}, with the topic. */
    public static final PenstockSendConvention DEFAULT_SEND = new DefaultSend();

    /** The convention of receipts: {@code penstock.receive}, with topic and listener. */
    public static final PenstockReceiveConvention DEFAULT_RECEIVE = new DefaultReceive();

    /** The convention of processing: {@code penstock.process}, with topic and listener. */
    public static final PenstockProcessConvention DEFAULT_PROCESS = new DefaultProcess();

    private static final String SYSTEM = "messaging.system";
    private static final String OPERATION = "messaging.operation";
    private static final String DESTINATION = "messaging.destination.name";
    private static final String LISTENER = "penstock.listener";

    private static KeyValues common(final String operation) {
        return KeyValues.of(KeyValue.of(SYSTEM, "penstock"), KeyValue.of(OPERATION, operation));
    }

    private static KeyValues ofDelivery(final DeliveryContext context, final String operation) {
        return common(operation).and(DESTINATION, context.message().topic()).and(LISTENER, context.listenerId());
    }

    private static KeyValues detailsOf(final DeliveryContext context) {
        return KeyValues.of(
                KeyValue.of("messaging.message.id", context.message().bookmark().toString()),
                KeyValue.of("penstock.attempt", Integer.toString(context.attempt())));
    }

    private static final class DefaultSend implements PenstockSendConvention {
        @Override
        public String getName() {
            return "penstock.send";
        }

        @Override
        public @Nullable String getContextualName(final SendContext context) {
            return context.topic() + " send";
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(final SendContext context) {
            return common("send").and(DESTINATION, context.topic());
        }
    }

    private static final class DefaultReceive implements PenstockReceiveConvention {
        @Override
        public String getName() {
            return "penstock.receive";
        }

        @Override
        public @Nullable String getContextualName(final DeliveryContext context) {
            return context.message().topic() + " receive";
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(final DeliveryContext context) {
            return ofDelivery(context, "receive");
        }

        @Override
        public KeyValues getHighCardinalityKeyValues(final DeliveryContext context) {
            return detailsOf(context);
        }
    }

    private static final class DefaultProcess implements PenstockProcessConvention {
        @Override
        public String getName() {
            return "penstock.process";
        }

        @Override
        public @Nullable String getContextualName(final DeliveryContext context) {
            return context.message().topic() + " process";
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(final DeliveryContext context) {
            return ofDelivery(context, "process");
        }

        @Override
        public KeyValues getHighCardinalityKeyValues(final DeliveryContext context) {
            return detailsOf(context);
        }
    }
}
