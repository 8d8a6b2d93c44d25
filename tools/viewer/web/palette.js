// Colours that people with any kind of colour vision can tell apart (after Okabe and Ito), tuned to both themes.

const light = ["#0072b2", "#d55e00", "#009e73", "#b14a86", "#3a9bdc", "#c98a00", "#5b5ea6", "#6b6b6b"];
const dark = ["#4aa8e0", "#f08a4b", "#2fc79b", "#e08fbe", "#8fd0f5", "#f0b93a", "#9a9df0", "#b5b5b5"];

export const colour = (index, theme) => {
  const list = theme === "dark" ? dark : light;
  return list[index % list.length];
};

/// A colour of a style sheet as #rrggbb; null where the browser does not know it.
export const cssColour = (text) => {
  if (!text || !CSS.supports("color", text)) return null;
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = text;
  return context.fillStyle.startsWith("#") ? context.fillStyle : null;
};

export const axisColours = ["#d1495b", "#3f9b5f", "#3d7dd8"];
