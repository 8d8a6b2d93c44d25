#pragma once
// Positions by name or by number. Sorted, not hashed: the names may come from somebody who knows our hash function.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tenon::fmi {

/// Add all, then finish(), then ask.
template <typename Key> class Index {
  public:
    void reserve(std::size_t size) { entries_.reserve(size); }
    void add(Key key, std::size_t position) { entries_.emplace_back(key, position); }
    void finish() { std::sort(entries_.begin(), entries_.end()); }

    /// The first that was added with this key.
    std::optional<std::size_t> find(Key key) const {
        const auto entry = std::lower_bound(entries_.begin(), entries_.end(), std::pair(key, std::size_t{0}));
        if (entry == entries_.end() || entry->first != key)
            return {};
        return entry->second;
    }

    /// Calls visit(span of (key, position)) for every key that has more than one position.
    template <typename Visit> void groups(Visit visit) const {
        for (std::size_t first = 0, end = 0; first < entries_.size(); first = end) {
            while (end < entries_.size() && entries_[end].first == entries_[first].first)
                ++end;
            if (end - first > 1)
                visit(std::span(entries_).subspan(first, end - first));
        }
    }

    /// Calls report(first, repeated) for every further position of a key.
    template <typename Report> void repeated(Report report) const {
        groups([&](const auto& group) {
            for (const auto& [key, position] : group.subspan(1))
                report(group.front().second, position);
        });
    }

  private:
    std::vector<std::pair<Key, std::size_t>> entries_;
};

} // namespace tenon::fmi
