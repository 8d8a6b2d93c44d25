#include "tools/results/row_journal.hpp"

#include "core/math/bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <sys/mman.h>
#include <system_error>

namespace tenon::results {
namespace {

/// Rows beyond these go to the file first. Memory is taken as it is used.
constexpr std::size_t rows_bytes = 1 << 20, journal_bytes = 64 << 20;
constexpr std::uint64_t second_mark = std::uint64_t{1} << 63;

ByteWriter bytes_of(const std::filesystem::path& file, const ResultHeading& heading) {
    ByteWriter bytes;
    bytes.put(std::string_view(file.native()));
    bytes.put(std::string_view(heading.system));
    bytes.put(std::string_view(heading.settings));
    bytes.size(heading.columns.size());
    for (const ResultColumn& column : heading.columns)
        for (const std::string* text : {&column.name, &column.unit, &column.description})
            bytes.put(std::string_view(*text));
    return bytes;
}

ResultHeading heading_from(ByteReader& bytes) {
    ResultHeading heading{bytes.get_text(), bytes.get_text(), {}};
    heading.columns.resize(bytes.size());
    for (ResultColumn& column : heading.columns)
        for (std::string* text : {&column.name, &column.unit, &column.description})
            *text = bytes.get_text();
    return heading;
}

class JournaledRecorder : public Recorder {
  public:
    JournaledRecorder(std::unique_ptr<Recorder> recorder, RowJournal& journal)
        : recorder_(std::move(recorder)), journal_(journal), known_(recorder_->in_file()) {}

    void write(double time, std::span<const double> values) override {
        recorder_->write(time, values);
        if (!note() && !journal_.add(time, values))
            flush();
    }
    void flush() override {
        recorder_->flush();
        note();
    }
    ResultMark sync() override {
        const ResultMark mark = recorder_->sync();
        note();
        return mark;
    }
    void close() override {
        recorder_->close();
        note();
    }
    ResultMark in_file() const override { return recorder_->in_file(); }
    long rows() const override { return recorder_->rows(); }
    double last_time() const override { return recorder_->last_time(); }

  private:
    /// True where the file has got rows since the last time.
    bool note() {
        const ResultMark now = recorder_->in_file();
        if (now.rows == known_.rows)
            return false;
        journal_.commit(known_ = now);
        return true;
    }

    std::unique_ptr<Recorder> recorder_;
    RowJournal& journal_;
    ResultMark known_;
};

} // namespace

struct RowJournal::Head {
    std::atomic<bool> opened;
    bool is_new;
    std::uint64_t columns, most_rows, heading_at, heading_bytes, rows_at;
    ResultMark marks[2];
    std::atomic<std::uint64_t> state;
};

RowJournal::RowJournal() {
    void* place = ::mmap(nullptr, journal_bytes, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(), "no memory for the rows of a run");
    head_ = new (place) Head{};
}

RowJournal::~RowJournal() { ::munmap(head_, journal_bytes); }

void RowJournal::open(const std::filesystem::path& file, const ResultHeading& heading,
                      const ResultMark& in_file, bool is_new) {
    const ByteWriter text = bytes_of(file, heading);
    row_ = heading.columns.size() + 1;
    const std::size_t heading_at = sizeof(Head), row_bytes = row_ * sizeof(double);
    const std::size_t rows_at =
        (heading_at + text.bytes.size() + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    if (rows_at >= journal_bytes) // names alone would fill it: such rows go to the file one by one
        return;
    auto* bytes = reinterpret_cast<unsigned char*>(head_);
    std::ranges::copy(text.bytes, bytes + heading_at);
    head_->is_new = is_new;
    head_->columns = heading.columns.size();
    head_->most_rows =
        std::min(std::max<std::size_t>(rows_bytes / row_bytes, 1), (journal_bytes - rows_at) / row_bytes);
    head_->heading_at = heading_at;
    head_->heading_bytes = text.bytes.size();
    head_->rows_at = rows_at;
    head_->marks[0] = in_file;
    head_->state.store(0);
    rows_ = reinterpret_cast<double*>(bytes + rows_at);
    head_->opened.store(true, std::memory_order_release);
}

bool RowJournal::add(double time, std::span<const double> values) {
    const std::uint64_t state = head_->state.load(std::memory_order_relaxed), rows = state & ~second_mark;
    if (rows == head_->most_rows)
        return false;
    double* place = rows_ + rows * row_;
    *place = time;
    std::ranges::copy(values, place + 1);
    head_->state.store(state + 1, std::memory_order_release);
    return true;
}

void RowJournal::commit(const ResultMark& in_file) {
    const std::uint64_t other = (head_->state.load(std::memory_order_relaxed) ^ second_mark) & second_mark;
    head_->marks[other ? 1 : 0] = in_file;
    head_->state.store(other, std::memory_order_release);
}

std::optional<RowJournal::Saved> RowJournal::save() {
    if (!head_->opened.load(std::memory_order_acquire))
        return std::nullopt;
    const auto* bytes = reinterpret_cast<const unsigned char*>(head_);
    ByteReader text(std::span(bytes + head_->heading_at, head_->heading_bytes), "the journal of rows");
    Saved saved;
    saved.file = text.get_text();
    const ResultHeading heading = heading_from(text);
    const std::uint64_t state = head_->state.load(std::memory_order_acquire), count = state & ~second_mark;
    const ResultMark& mark = head_->marks[state & second_mark ? 1 : 0];
    if (mark.rows + count == 0) {
        std::error_code ignored;
        if (head_->is_new)
            std::filesystem::remove(saved.file, ignored);
        return std::nullopt;
    }
    const std::unique_ptr<Recorder> recorder =
        mark.rows == 0 ? new_recorder(saved.file, heading) : continued_recorder(saved.file, heading, mark);
    const std::size_t columns = head_->columns;
    const auto* rows = reinterpret_cast<const double*>(bytes + head_->rows_at);
    for (std::uint64_t i = 0; i < count; ++i, rows += columns + 1)
        recorder->write(rows[0], std::span(rows + 1, columns));
    recorder->close();
    saved.rows = recorder->rows();
    saved.last_time = recorder->last_time();
    return saved;
}

std::unique_ptr<Recorder> journaled(std::unique_ptr<Recorder> recorder, RowJournal& journal) {
    return std::make_unique<JournaledRecorder>(std::move(recorder), journal);
}

} // namespace tenon::results
