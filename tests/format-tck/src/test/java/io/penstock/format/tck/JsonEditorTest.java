package io.penstock.format.tck;

final class JsonEditorTest extends MessageEditorTck {
    JsonEditorTest() {
        super(new TestedJson());
    }
}
