package io.penstock.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and tags of the observation of a message that is sent. */
public interface PenstockSendConvention extends ObservationConvention<SendContext> {
    @Override
    default boolean supportsContext(final Observation.Context context) {
        return context instanceof SendContext;
    }
}
