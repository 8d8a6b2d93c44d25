#pragma once
// One table of a model file, checked against the keys it may have. Every refusal carries file and line.

#include "core/math/types.hpp"
#include "tools/model_file/model_format.hpp"
#include "tools/model_file/toml.hpp"

#include <string>
#include <vector>

namespace tenon {

/// Refers to the tree and the texts it is given; they must outlive it.
class ModelTable {
  public:
    /// `what` is how messages call the element: "body 'crank'".
    ModelTable(const std::string& file, const TomlNode& node, int line, std::string what)
        : file_(file), node_(node), line_(line), what_(std::move(what)) {}

    /// Refuses unknown keys, wrong types, numbers that are not finite, and missing required keys. A key that other
    /// variants of `section` have is said to be theirs.
    void check(const std::vector<Key>& keys, const Section* section = nullptr) const;

    /// What is wrong with the element, at its first line or at that of one of its keys.
    [[noreturn]] void refuse(const std::string& problem) const;
    [[noreturn]] void refuse(std::string_view key, const std::string& problem) const;

    bool has(std::string_view key) const { return node_.find(key) != nullptr; }
    /// Null where the key is not there.
    const TomlNode* find(std::string_view key) const;
    int line() const { return line_; }
    const std::string& file() const { return file_; }
    const std::string& what() const { return what_; }
    const TomlNode::Table& entries() const { return node_.entries(); }
    /// The table behind a key that is known to hold one.
    ModelTable inner(std::string_view key) const;
    /// Those behind a key that is known to hold a list of them.
    std::vector<ModelTable> inner_list(std::string_view key) const;

    /// Values of keys that check() has passed.
    double number(std::string_view key, double fallback) const;
    bool boolean(std::string_view key) const;
    std::string text(std::string_view key, const std::string& fallback = {}) const;
    Vec3 vector(std::string_view key, const Vec3& fallback) const;
    std::vector<double> numbers(std::string_view key) const;
    /// The rotation that a quaternion, or an axis and an angle, stand for; the identity where the key is missing.
    Mat3 rotation(std::string_view key) const;

  private:
    void check_value(const Key& key, const TomlEntry& entry) const;
    static void check_law(const ModelTable& law);
    void check_list(const Key& key, const TomlNode& node, std::size_t least, std::size_t most) const;
    void check_number(const Key& key, const TomlNode& node) const;
    void check_inner(const Key& key, const TomlNode& node, const std::vector<Key>& keys) const;
    void check_choice(const Key& key, const TomlNode& node, const std::string& what) const;
    [[noreturn]] void wrong_type(const Key& key, const TomlNode& node) const;
    [[noreturn]] void unknown_key(const TomlEntry& entry, const std::vector<Key>& keys,
                                  const Section* section) const;
    [[noreturn]] void refuse_at(int line, const std::string& problem) const;

    const std::string& file_;
    const TomlNode& node_;
    int line_;
    std::string what_;
};

/// The three numbers of a node that is known to hold them.
Vec3 vector_of(const TomlNode& node);

/// "'a', 'b'": for messages.
std::string listed(const std::vector<std::string>& words, std::size_t most = 12);

} // namespace tenon
