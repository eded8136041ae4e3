// Writes src/graphql.ts: the types of ../operations.graphql and ../fragments.graphql over the service's schema, and their
// documents as texts, by graphql-codegen's client preset.
import { readFile, writeFile } from "node:fs/promises";
import { codegen } from "@graphql-codegen/core";
import { preset } from "@graphql-codegen/client-preset";
import { buildSchema, parse, printSchema } from "graphql";

const read = (name) => readFile(new URL(name, import.meta.url), "utf8");

const schemaAst = buildSchema(await read("../../schema.graphql"));
const rawSDL = [await read("../operations.graphql"), await read("../fragments.graphql")].join("\n");
const files = await preset.buildGeneratesSection({
  baseOutputDir: "src/",
  schema: parse(printSchema(schemaAst)),
  schemaAst,
  documents: [{ location: "operations.graphql", document: parse(rawSDL), rawSDL }],
  config: {
    scalars: { Date: "string", DateTime: "string", JSON: "unknown" },
    documentMode: "string",
    enumsAsTypes: true,
    useTypeImports: true,
  },
  presetConfig: { fragmentMasking: false },
  plugins: [],
  pluginMap: {},
});
const made = files.find((file) => file.filename.endsWith("graphql.ts"));
await writeFile(new URL("src/graphql.ts", import.meta.url), await codegen(made));
