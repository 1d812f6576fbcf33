package io.penstock.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;

class ChartTest {
    @Test
    void shouldDrawAPointForEachValueThatThereIs() throws Exception {
        final Chart chart = new Chart("R & D", "step", List.of("1", "2", "3"));
        chart.panel("a < b", Map.of("one", new double[] {1, Double.NaN, 3}));
        chart.panel("b", Map.of("one", new double[] {0, 0, 0}));

        final Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(chart.svg().getBytes(StandardCharsets.UTF_8)));

        assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(5);
        assertThat(svg.getElementsByTagName("path")
                        .item(0)
                        .getAttributes()
                        .getNamedItem("d")
                        .getNodeValue())
                .matches("M[0-9.]+ [0-9.]+ M[0-9.]+ [0-9.]+");
        assertThat(svg.getDocumentElement().getTextContent()).contains("R & D", "a < b");
    }

    @ParameterizedTest
    @CsvSource({"5, 1", "5.1, 2", "9, 2", "11, 2.5", "23, 5", "26, 10", "70000, 20000", "0.4, 0.1"})
    void shouldChooseRoundStepsThatHoldTheGreatestValue(final double max, final double tick) {
        assertThat(Chart.tick(max)).isEqualTo(tick);
    }
}
