package io.penstock.format.tck;

final class JsonValidatorTest extends MessageValidatorTck {
    JsonValidatorTest() {
        super(new TestedJson());
    }
}
