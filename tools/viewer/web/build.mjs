// Bundles the page: `node build.mjs OUT.html`. One file with script and styles inside, and a mark where the data goes.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "viewer.html");

const bundled = async (entry) => {
  const result = await build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome90", "firefox90", "safari15"],
    legalComments: "none", // the licences are named in the page itself
    charset: "utf8",
    logLevel: "warning",
  });
  return result.outputFiles[0].text.trim();
};

// Neither may end its element early; in scripts a "<" of a text can be written in another way.
const script = (await bundled("main.js")).replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
const style = await bundled("style.css");
if (/<\/style/i.test(style)) throw new Error("the styles hold </style");

const page = readFileSync(join(here, "index.html"), "utf8")
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script);
if (page.split("<!--tenon-data-->").length !== 2) throw new Error("the page needs one place for the data");
writeFileSync(out, page);
