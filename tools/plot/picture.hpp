#pragma once
// A figure as the bytes of a file.

#include "tools/plot/figure.hpp"

#include <string>
#include <string_view>

namespace tenon::plot {

enum class Format { png, svg };

struct Size {
    int width = 0, height = 0; ///< pixels
};
/// A large picture is not a picture of small letters: the layout is that of a page about 900 units wide, whatever the size.
inline constexpr Size least_size = {200, 150}, most_size = {16000, 16000};

/// Fit for a page of text, with a height that follows from the number of panels. `width` 0: 1600.
Size usual_size(const Figure& figure, int width = 0);

/// Throws Error(usage) where the size is too small for the figure, Error(computation) where it cannot be drawn.
std::string picture(const Figure& figure, Format format, const Size& size, bool dark);

/// `text` between the tags of XML: markup escaped, and what XML does not allow shown as \xNN.
std::string xml_text(std::string_view text);

} // namespace tenon::plot
