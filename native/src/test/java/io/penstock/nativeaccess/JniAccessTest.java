package io.penstock.nativeaccess;

class JniAccessTest extends NativeSocketTck {
    @Override
    Binding binding() {
        return Binding.JNI;
    }
}
