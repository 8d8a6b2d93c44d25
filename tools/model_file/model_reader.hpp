#pragma once
// Model files (docs/contract.md section 2). What the file says is checked against the format (model_format.hpp), then the
// model against validate() and the registry of integrators. Every mistake is an InputError with file and line.

#include "core/math/error.hpp"
#include "core/model/model.hpp"
#include "core/model/plausibility.hpp"
#include "tools/files/errors.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon {

struct ModelFile {
    Model model;
    std::string file;
    /// Lines of elements ("crank") and of their keys ("crank.mass", "solver.step", "model.gravity").
    std::map<std::string, int> lines;
    /// What the file says and hardly means, and the core cannot see: angles that look like radians where degrees stand.
    std::vector<Doubt> remarks = {};

    /// That of the longest known beginning of a dotted name; 0 where nothing is known.
    int line_of(std::string element) const;
    /// An error of the core about this model, with file and line in front.
    InputError located(const Error& error) const;
    /// The same, still an Error of its kind; what is wrong in the use of the model is not placed in its file.
    Error placed(const Error& error) const;
    /// "FILE:LINE: text" of all that is possible and hardly meant in the model as it is now (plausibility.hpp); at most
    /// `most`, and one more line that counts the others.
    std::vector<std::string> warnings(std::size_t most = 8) const;
};

ModelFile read_model_file(const std::filesystem::path& path);
ModelFile parse_model_file(std::string_view text, const std::string& file_name);

Model read_model(const std::filesystem::path& path);
Model parse_model(std::string_view text, const std::string& file_name);

} // namespace tenon
