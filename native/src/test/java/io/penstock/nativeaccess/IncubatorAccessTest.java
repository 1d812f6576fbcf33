package io.penstock.nativeaccess;

import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;

@EnabledOnJre(JRE.JAVA_17)
class IncubatorAccessTest extends NativeSocketTck {
    @Override
    Binding binding() {
        return Binding.INCUBATOR;
    }
}
