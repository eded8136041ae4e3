// Writes src/gql/graphql.ts: the types of operations.graphql, by graphql-codegen's client preset over the committed schema.
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { codegen } from "@graphql-codegen/core";
import { preset } from "@graphql-codegen/client-preset";
import { buildSchema, parse, printSchema } from "graphql";

const SCHEMA = new URL("../../schema.graphql", import.meta.url);
const OPERATIONS = new URL("src/operations.graphql", import.meta.url);
const folder = new URL("src/gql/", import.meta.url);

const schemaAst = buildSchema(await readFile(SCHEMA, "utf8"));
const rawSDL = await readFile(OPERATIONS, "utf8");
const files = await preset.buildGeneratesSection({
  baseOutputDir: "src/gql/",
  schema: parse(printSchema(schemaAst)),
  schemaAst,
  documents: [{ location: OPERATIONS.pathname, document: parse(rawSDL), rawSDL }],
  config: { scalars: { Date: "string", DateTime: "string", JSON: "unknown" }, enumsAsTypes: true, useTypeImports: true },
  presetConfig: { fragmentMasking: false },
  plugins: [],
  pluginMap: {},
});
await mkdir(folder, { recursive: true });
for (const file of files) await writeFile(new URL(file.filename, import.meta.url), await codegen(file));
