package io.penstock.format.tck;

final class BinaryEditorTest extends MessageEditorTck {
    BinaryEditorTest() {
        super(new TestedBinary());
    }
}
