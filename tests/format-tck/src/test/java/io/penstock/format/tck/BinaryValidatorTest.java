package io.penstock.format.tck;

final class BinaryValidatorTest extends MessageValidatorTck {
    BinaryValidatorTest() {
        super(new TestedBinary());
    }
}
