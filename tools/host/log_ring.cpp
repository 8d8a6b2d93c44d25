#include "tools/host/log_ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace tenon::host {
namespace {

struct Record {
    std::uint32_t status, category_size, message_size;
};

/// Both texts have been cut by the importer before (log_relay.cpp); a longer one is not a message.
constexpr std::uint32_t longest_text = 4096;

LogRingHead* head_of(std::span<unsigned char> memory) {
    return reinterpret_cast<LogRingHead*>(memory.data());
}

} // namespace

LogRingWriter::LogRingWriter(std::span<unsigned char> memory)
    : head_(head_of(memory)), ring_(memory.subspan(sizeof(LogRingHead))) {}

void LogRingWriter::put(fmi::Status status, std::string_view category, std::string_view message) {
    category = category.substr(0, longest_text);
    message = message.substr(0, longest_text);
    const Record record{static_cast<std::uint32_t>(status), static_cast<std::uint32_t>(category.size()),
                        static_cast<std::uint32_t>(message.size())};
    std::uint64_t at = head_->written.load(std::memory_order_relaxed);
    const std::uint64_t used = at - head_->taken.load(std::memory_order_acquire);
    if (used + sizeof record + category.size() + message.size() > ring_.size()) {
        head_->left_out.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    append(at, &record, sizeof record);
    append(at, category.data(), category.size());
    append(at, message.data(), message.size());
    head_->written.store(at, std::memory_order_release);
}

void LogRingWriter::append(std::uint64_t& at, const void* bytes, std::size_t size) {
    const auto place = static_cast<std::size_t>(at % ring_.size());
    const std::size_t first = std::min(size, ring_.size() - place);
    std::memcpy(ring_.data() + place, bytes, first);
    std::memcpy(ring_.data(), static_cast<const unsigned char*>(bytes) + first, size - first);
    at += size;
}

LogRingReader::LogRingReader(std::span<unsigned char> memory)
    : head_(head_of(memory)), ring_(memory.subspan(sizeof(LogRingHead))) {}

void LogRingReader::copy(std::uint64_t from, void* bytes, std::size_t size) const {
    const auto place = static_cast<std::size_t>(from % ring_.size());
    const std::size_t first = std::min(size, ring_.size() - place);
    std::memcpy(bytes, ring_.data() + place, first);
    std::memcpy(static_cast<unsigned char*>(bytes) + first, ring_.data(), size - first);
}

bool LogRingReader::drain(fmi::LogRelay& relay) {
    // Only what is there now: a process that logs faster than we read must not keep us here.
    const std::uint64_t end = head_->written.load(std::memory_order_acquire);
    broken_ = broken_ || end - taken_ > ring_.size();
    while (!broken_ && taken_ != end)
        broken_ = !take_one(end - taken_, relay);
    if (const std::uint64_t left_out = head_->left_out.load(std::memory_order_relaxed);
        left_out != left_out_) {
        relay.say(fmi::Status::warning, fmt::format("{} messages were left out", left_out - left_out_));
        left_out_ = left_out;
    }
    return !broken_;
}

bool LogRingReader::take_one(std::uint64_t available, fmi::LogRelay& relay) {
    Record record{};
    if (available < sizeof record)
        return false;
    copy(taken_, &record, sizeof record);
    const std::uint64_t size = sizeof record + std::uint64_t(record.category_size) + record.message_size;
    if (record.category_size > longest_text || record.message_size > longest_text || size > available)
        return false;
    std::string category(record.category_size, '\0'), message(record.message_size, '\0');
    copy(taken_ + sizeof record, category.data(), category.size());
    copy(taken_ + sizeof record + category.size(), message.data(), message.size());
    // Given back first: a sink may call the slave, and that reads the ring as well.
    taken_ += size;
    head_->taken.store(taken_, std::memory_order_release);
    relay.pass(static_cast<int>(record.status), category.c_str(), message.c_str());
    return true;
}

} // namespace tenon::host
