package io.penstock.nativeaccess;

import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

@EnabledForJreRange(min = JRE.JAVA_22)
class ForeignAccessTest extends NativeSocketTck {
    @Override
    Binding binding() {
        return Binding.FOREIGN;
    }
}
