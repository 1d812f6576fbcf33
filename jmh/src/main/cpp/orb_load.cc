// Load by omniORB for what is measured: calls the bridge, or a peer that serves the same contract, from many threads over a
// bounded number of connections, and prints one line of JSON.
//
//     orb_load REFERENCE echo|publish THREADS CONNECTIONS LENGTH WARM_UP_S SECONDS
//
// It publishes to the topic "bytes", which takes binary messages (penstock serve --topic bytes=binary). Times are in
// microseconds. The histogram has a pair for each step that occurred, its lower bound and the count; steps are 1/16 of a
// power of two wide.

#include "Penstock.hh"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

using Clock = std::chrono::steady_clock;

// Counts by time: 16 steps for each power of two of nanoseconds.
class Histogram {
public:
    void record(std::uint64_t ns) {
        counts[step(ns)]++;
    }

    void add(const Histogram& other) {
        for (std::size_t i = 0; i < counts.size(); i++) {
            counts[i] += other.counts[i];
        }
    }

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (std::uint64_t count : counts) {
            sum += count;
        }
        return sum;
    }

    double percentileUs(double percent) const {
        const double wanted = static_cast<double>(total()) * percent / 100;
        double seen = 0;
        for (std::size_t i = 0; i < counts.size(); i++) {
            seen += static_cast<double>(counts[i]);
            if (counts[i] != 0 && seen >= wanted) {
                return lowestUs(i + 1);
            }
        }
        return 0;
    }

    void print(std::ostream& out) const {
        const char* separator = "";
        for (std::size_t i = 0; i < counts.size(); i++) {
            if (counts[i] != 0) {
                out << separator << "[" << lowestUs(i) << ", " << counts[i] << "]";
                separator = ", ";
            }
        }
    }

private:
    static const int STEP_BITS = 4;

    std::array<std::uint64_t, 64 << STEP_BITS> counts{};

    static std::size_t step(std::uint64_t ns) {
        if (ns < (1u << STEP_BITS)) {
            return ns;
        }
        const int power = 63 - __builtin_clzll(ns);
        return ((power - STEP_BITS + 1) << STEP_BITS) + ((ns >> (power - STEP_BITS)) & ((1u << STEP_BITS) - 1));
    }

    static double lowestUs(std::size_t step) {
        const std::size_t power = step >> STEP_BITS;
        const std::uint64_t rest = step & ((1u << STEP_BITS) - 1);
        const std::uint64_t ns = power == 0 ? rest : ((1ull << STEP_BITS) + rest) << (power - 1);
        return static_cast<double>(ns) / 1000;
    }
};

struct Worker {
    Histogram histogram;
    std::uint64_t errorCount = 0;
};

enum Phase { WARM_UP, MEASURE, END };

static std::atomic<int> phase{WARM_UP};

static Penstock::Publication publication(CORBA::ULong length) {
    Penstock::Publication message;
    message.topic = "bytes";
    message.data.length(length);
    for (CORBA::ULong i = 0; i < length; i++) {
        message.data[i] = static_cast<CORBA::Octet>(i);
    }
    message.key = "";
    message.isDelta = false;
    message.expirationMs = 0;
    return message;
}

static void work(Penstock::PenstockBroker_ptr broker, bool isEcho, CORBA::ULong length, Worker& worker) {
    const Penstock::Publication message = publication(length);
    for (int now = phase; now != END; now = phase) {
        const Clock::time_point start = Clock::now();
        try {
            if (isEcho) {
                Penstock::Bytes_var echoed = broker->echo(message.data);
                worker.errorCount += echoed->length() == length ? 0 : 1;
            } else {
                broker->publish(message, false);
            }
        } catch (const CORBA::Exception&) {
            worker.errorCount++;
            continue;
        }
        if (now == MEASURE) {
            worker.histogram.record(
                std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count());
        }
    }
}

static void run(Penstock::PenstockBroker_ptr broker, char** argv) {
    const bool isEcho = std::string(argv[2]) == "echo";
    const CORBA::ULong length = std::strtoul(argv[5], nullptr, 10);
    std::vector<Worker> workers(std::strtoul(argv[3], nullptr, 10));
    std::vector<std::thread> threads;
    for (Worker& each : workers) {
        threads.emplace_back([&, isEcho, length] { work(broker, isEcho, length, each); });
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(std::strtod(argv[6], nullptr)));
    const Clock::time_point start = Clock::now();
    phase = MEASURE;
    std::this_thread::sleep_for(std::chrono::duration<double>(std::strtod(argv[7], nullptr)));
    phase = END;
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    for (std::thread& each : threads) {
        each.join();
    }

    Worker all;
    for (const Worker& each : workers) {
        all.histogram.add(each.histogram);
        all.errorCount += each.errorCount;
    }
    std::cout << "{\"calls\": " << all.histogram.total() << ", \"seconds\": " << seconds
              << ", \"errors\": " << all.errorCount << ", \"p50Us\": " << all.histogram.percentileUs(50)
              << ", \"p99Us\": " << all.histogram.percentileUs(99) << ", \"histogram\": [";
    all.histogram.print(std::cout);
    std::cout << "]}" << std::endl;
}

int main(int argc, char** argv) {
    if (argc != 8) {
        std::cerr << "usage: orb_load REFERENCE echo|publish THREADS CONNECTIONS LENGTH WARM_UP_S SECONDS" << std::endl;
        return 2;
    }
    const char* options[][2] = {
        {"nativeCharCodeSet", "UTF-8"},
        {"giopMaxMsgSize", "67108864"},
        {"maxGIOPConnectionPerServer", argv[4]},
        {nullptr, nullptr},
    };
    int orbArgumentCount = 1;
    try {
        CORBA::ORB_var orb = CORBA::ORB_init(orbArgumentCount, argv, "omniORB4", options);
        CORBA::Object_var object = orb->string_to_object(argv[1]);
        Penstock::PenstockBroker_var broker = Penstock::PenstockBroker::_narrow(object);
        run(broker, argv);
        orb->destroy();
        return 0;
    } catch (const CORBA::Exception& e) {
        std::cerr << "failed: " << e._name() << std::endl;
        return 1;
    }
}
