package io.penstock.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and tags of the observation of a message that is received, from the client's thread to the listener. */
public interface PenstockReceiveConvention extends ObservationConvention<DeliveryContext> {
    @Override
    default boolean supportsContext(final Observation.Context context) {
        return context instanceof DeliveryContext;
    }
}
