// Audits a GraphQL endpoint by the GraphQL-over-HTTP specification: node audit.mjs http://127.0.0.1:8000/graphql
// One line for each check that is not met, then how many were; ends with 1 when one of them is more than a notice.
import { auditServer } from "graphql-http";

const results = await auditServer({ url: process.argv[2] });
for (const { id, name, status, reason } of results) {
  if (status !== "ok") console.log(`${status} ${id} ${name}: ${reason}`);
}
const counts = { ok: 0, notice: 0, warn: 0, error: 0 };
for (const { status } of results) counts[status] += 1;
console.log(JSON.stringify(counts));
process.exitCode = counts.warn + counts.error ? 1 : 0;
