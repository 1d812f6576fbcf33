package io.penstock.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and tags of the observation of a message that is processed by a listener. */
public interface PenstockProcessConvention extends ObservationConvention<DeliveryContext> {
    @Override
    default boolean supportsContext(final Observation.Context context) {
        return context instanceof DeliveryContext;
    }
}
