package io.penstock.spring.boot.messaging;

import io.penstock.spring.template.PenstockTemplate;

/** Changes the template after the properties. Beans of this type are called in their order, once. */
@FunctionalInterface
public interface PenstockTemplateCustomizer {
    /**
     * Changes the template.
     *
     * @param template with what the properties say.
     */
    void customize(PenstockTemplate template);
}
